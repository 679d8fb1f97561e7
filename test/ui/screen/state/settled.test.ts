import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BINDINGS, type Binding, type BindingGroup } from '../../../../src/ui/screen/keys/bindings.ts'
import { boundAction } from '../../../../src/ui/screen/state/groups.ts'
import { stay } from '../../../../src/ui/screen/state/message.ts'
import { keepStage } from '../../../../src/ui/screen/state/recall-stage.ts'
import { followTimelines } from '../../../../src/ui/screen/state/timeline-face.ts'
import { keyOf } from '../../../support/dashboard/dashboard.ts'
import { openWithAgents } from '../../../support/dashboard/three-agents.ts'

const GROUPS = [...new Set(BINDINGS.map(({ group }) => group))]
const CHORDS = [...new Set(BINDINGS.flatMap(({ chords }) => chords))]

test('from a state that update gave nothing more follows, so that a key that changes nothing can leave it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...CHORDS, 'x', 'y'), { maxLength: 40 }),
      fc.boolean(),
      (chords, recalled) => {
        const screen = openWithAgents()
        if (recalled) screen.tell({ kind: 'remembered', memory: screen.state.memory })
        for (const chord of chords) {
          screen.tell({ kind: 'input', event: keyOf(chord) })
          const { state, commands } = keepStage(followTimelines(stay(screen.state)))
          expect([state === screen.state, commands]).toEqual([true, []])
        }
      },
    ),
  )
})

/** Finds what a chord does by reading the table row by row. */
function find(bindings: readonly Binding[], chord: string, groups: readonly BindingGroup[]): string | null {
  for (const group of groups) {
    const found = bindings.find((one) => one.group === group && one.chords.includes(chord))
    if (found !== undefined) return found.action
  }
  return null
}

test('a chord means what the table says, also where two rows have it, or a row has several or none', () => {
  const chord = fc.constantFrom('a', 'b', 'c', 'ctrl+a')
  const row = fc.record({
    binding: fc.constantFrom(...BINDINGS),
    chords: fc.array(chord, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(row), fc.array(fc.constantFrom(...GROUPS)), chord, (rows, groups, pressed) => {
      const bindings = rows.map(({ binding, chords }) => ({ ...binding, chords }))
      const { state } = openWithAgents()
      expect(boundAction({ ...state, bindings }, pressed, groups)).toBe(find(bindings, pressed, groups))
    }),
  )
})
