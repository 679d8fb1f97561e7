import { describe, expect, test } from 'vitest'
import { activeBindings } from '../../../../src/ui/screen/state/groups.ts'
import { whyNot } from '../../../../src/ui/screen/state/why-not.ts'
import type { Screen } from '../../../support/dashboard/dashboard.ts'
import { FOUR, ID, lastCommand, openList, running } from '../../../support/dashboard/timelines.ts'

describe('keys on a checkpoint', () => {
  test('r restores at once, as it can be undone', () => {
    const screen = openList()
    screen.press('down', 'r')
    expect(lastCommand(screen)).toEqual({
      do: 'verb',
      verb: { verb: 'restore', id: ID, checkpoint: 5 },
      words: 'restoring b7c9 to checkpoint 5',
      about: ID,
    })
    expect(screen.state.overlay).toBe(null)
  })

  test('r restores what is being compared', () => {
    const screen = openList()
    screen.press('down', 'enter', 'r')
    expect(lastCommand(screen)).toMatchObject({ verb: { verb: 'restore', checkpoint: 5 } })
  })

  test('r is refused while the agent runs, and while something is done to it', () => {
    const screen = openList(running)
    screen.press('r')
    expect(screen.state.hint).toBe('b7c9 is still running: s stops it first')
    const busy = openList()
    busy.tell({ kind: 'began', task: 1, words: 'landing b7c9', about: ID })
    busy.press('r')
    expect(busy.state.hint).toBe('wait: landing b7c9')
  })

  test('n asks for a name, and an empty one takes it away', () => {
    const screen = openList()
    screen.press('down', 'down', 'n')
    expect(screen.draw().at(-1)).toContain('name of checkpoint 2 before the rewrite')
    screen.press('ctrl+u')
    screen.type('good')
    screen.press('enter')
    expect(lastCommand(screen)).toMatchObject({
      verb: { verb: 'name_checkpoint', id: ID, checkpoint: 2, name: 'good' },
    })
    screen.press('n', 'ctrl+u', 'enter')
    expect(lastCommand(screen)).toMatchObject({ verb: { checkpoint: 2, name: null } })
  })

  test('f opens the form for a new agent that begins with it, also while the agent runs', () => {
    const screen = openList(running, FOUR, { columns: 100, rows: 30 })
    screen.press('end', 'f')
    expect(screen.draw().join('\n')).toContain('Fork of b7c9 at checkpoint 1')
    expect(screen.state.overlay).toMatchObject({
      kind: 'new_agent',
      popup: { facts: { origin: { worktree: 'my-feature', from: { invocation: ID, checkpoint: 1 } } } },
    })
  })

  test('where there is no checkpoint say so', () => {
    const screen = openList(running, [])
    for (const key of ['enter', 'r', 'f', 'n']) {
      screen.press(key)
      expect(screen.state.hint).toBe('there is no checkpoint yet: c takes one')
    }
  })

  test('stand in the footer where they apply', () => {
    const labels = (screen: Screen) =>
      activeBindings(screen.state)
        .filter(({ footer, action }) => footer && whyNot(screen.state, action) === null)
        .map(({ label }) => label)
        .slice(0, 3)
    expect(labels(openList())).toEqual(['compare', 'restore', 'fork'])
    expect(labels(openList(running))).toEqual(['compare', 'fork', 'name'])
  })
})

describe('the mouse', () => {
  const press = (x: number, y: number) =>
    ({ kind: 'mouse', action: 'press', button: 'left', x, y, ctrl: false, alt: false, shift: false }) as const

  test('selects a checkpoint, and compares the selected one', () => {
    const screen = openList()
    screen.input(press(40, 3))
    expect(screen.state.timelines[ID]?.selected).toBe(2)
    screen.input(press(40, 3))
    expect(lastCommand(screen)).toMatchObject({ do: 'compare', want: { checkpoint: 2 } })
  })
})
