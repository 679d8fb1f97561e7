import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BINDINGS } from '../../../../src/ui/screen/bindings.ts'
import { encodeInput } from '../../../../src/ui/screen/input/encode-input.ts'
import { createInputParser } from '../../../../src/ui/screen/input/input-parser.ts'
import { isPlainText, PLAIN_CHARACTERS } from '../../../../src/ui/screen/input/plain-text.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import { textPane } from '../../../../src/ui/screen/state/text-pane.ts'
import { update } from '../../../../src/ui/screen/state/update.ts'
import { AT } from '../../../support/dashboard/pane-input.ts'
import { CODEX, inPane, openWithAgents } from '../../../support/dashboard/three-agents.ts'

const CHORDS = [...new Set(BINDINGS.flatMap(({ chords }) => chords))]
const MODES = [
  '\x1b[>1u',
  '\x1b[>8u',
  '\x1b[<u',
  '\x1b[>4;2m',
  '\x1b[>4m',
  '\x1b[?1h',
  '\x1b[?1049h',
  '\x1bc',
]

test('what goes to a pane as it is would have gone there as keys, and have changed nothing else', async () => {
  const plain = fc.array(fc.constantFrom(...PLAIN_CHARACTERS), { minLength: 1, maxLength: 3 })
  const pressed = fc.array(fc.constantFrom(...CHORDS, 'x'), { maxLength: 12 })
  const asked = fc.array(fc.constantFrom(...MODES), { maxLength: 4 })
  let passed = 0
  await fc.assert(
    fc.asyncProperty(pressed, asked, plain, async (chords, modes, chars) => {
      const screen = inPane()
      screen.press(...chords)
      const pane = await openPane(CODEX, { columns: 80, rows: 24 })
      pane.write(Buffer.from(modes.join('')))
      if (textPane(screen.state) === null || !pane.takesText) return
      passed += 1
      const typed = Buffer.from(chars.join(''))
      const told: Uint8Array[] = []
      for (const event of createInputParser().push(typed)) {
        const { state, commands } = update(screen.state, { kind: 'input', event })
        expect(state).toBe(screen.state)
        expect(commands).toEqual([{ do: 'type', pane: CODEX, event }])
        told.push(encodeInput(event, pane.modes, AT) ?? Buffer.from('nothing'))
      }
      expect(Buffer.concat(told)).toEqual(typed)
    }),
  )
  expect(passed).toBeGreaterThan(5)
})

test('text is for a pane only where the keyboard is in one and nothing waits for it', () => {
  expect(textPane(inPane().state)).toBe(CODEX)
  expect(textPane(openWithAgents().state)).toBe(null)
  const state = inPane().state
  expect(textPane({ ...state, hint: 'x does nothing here' })).toBe(null)
  expect(textPane({ ...state, size: { columns: 30, rows: 5 } })).toBe(null)
  expect(textPane({ ...state, found: { [CODEX]: { text: 'a', place: null } } })).toBe(null)
  const asking = inPane()
  asking.tell({ kind: 'act', action: 'anywhere.palette' })
  expect(asking.state.overlay).not.toBe(null)
  expect(textPane(asking.state)).toBe(null)
})

test('where somebody has bound a character for panes, all are keys', () => {
  const { state } = inPane()
  const [first] = BINDINGS.filter(({ group }) => group === 'pane')
  const bindings = BINDINGS.map((one) => (one === first ? { ...one, chords: ['~'] } : one))
  expect(textPane({ ...state, bindings })).toBe(null)
})

test('a program that wants its keys in another form is not sent text', async () => {
  const pane = await openPane(CODEX, { columns: 80, rows: 24 })
  expect(pane.takesText).toBe(true)
  for (const [on, off] of [
    ['\x1b[>1u', '\x1b[<u'],
    ['\x1b[>4;1m', '\x1b[>4m'],
  ]) {
    pane.write(Buffer.from(on ?? ''))
    expect(pane.takesText).toBe(false)
    pane.write(Buffer.from(off ?? ''))
    expect(pane.takesText).toBe(true)
  }
})

test('plain text is printable ASCII', () => {
  expect(isPlainText(Buffer.from('a ~'))).toBe(true)
  for (const text of ['', '\r', 'a\x1b', '\x7f', 'é', '\x00'])
    expect(isPlainText(Buffer.from(text))).toBe(false)
})
