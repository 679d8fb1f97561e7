import { expect, test } from 'vitest'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { NO_UI_MEMORY, type UiMemory } from '../../../../src/ui/screen/ui-memory.ts'
import { NOW, observed, openScreen, type Screen } from '../../../support/dashboard/dashboard.ts'
import { worktreeView } from '../../../support/records/records.ts'

const [ONE, TWO, THREE] = ['b7c9', 'c2d8', 'd4e5'].map((end) => parseInvocationId(`20260128120500-${end}`))
const ALL = {
  taken_at: NOW,
  worktrees: [worktreeView()],
  invocations: [ONE, TWO, THREE].map((id) => observed(id === undefined ? {} : { invocation_id: id })),
}
const LEFT: UiMemory = {
  ...NO_UI_MEMORY,
  recent_actions: ['new.agent'],
  stage: { count: 4, pinned: [ONE ?? '', TWO ?? ''], selected: THREE ?? '' },
}

const remembered = (screen: Screen): UiMemory['stage'][] =>
  screen.commands.flatMap((command) => (command.do === 'remember' ? [command.memory.stage] : []))

const staged = (screen: Screen): boolean[] => {
  const text = screen
    .draw()
    .map((line) => line.slice(30))
    .join('\n')
  return ['b7c9', 'c2d8', 'd4e5'].map((id) => text.includes(` ${id} `))
}

test.each(['before', 'after'])('what was on the stage is there again, read %s the records', (when) => {
  const screen = openScreen(when === 'after' ? ALL : {}, { columns: 160, rows: 40 })
  screen.tell({ kind: 'remembered', memory: LEFT })
  screen.observe(ALL)
  expect(staged(screen)).toEqual([true, true, true])
  expect(screen.state.tree.selected).toBe(`i:${THREE}`)
  expect(remembered(screen)).toEqual([])
})

test('a change of the panes is kept at once, what is selected when one leaves', () => {
  const screen = openScreen(ALL)
  screen.tell({ kind: 'remembered', memory: { ...NO_UI_MEMORY, recent_actions: ['new.agent'] } })
  screen.press('down', 'down')
  expect(remembered(screen)).toEqual([])
  screen.press('space')
  expect(remembered(screen)).toEqual([{ count: 2, pinned: [TWO], selected: TWO }])
  screen.press('down', 'q')
  expect(remembered(screen).at(-1)).toEqual({ count: 2, pinned: [TWO], selected: THREE })
  expect(screen.commands.at(-1)).toEqual({ do: 'quit' })
  expect(screen.state.memory.recent_actions).toEqual(['new.agent'])
})

test('nothing is written over what has not been read yet', () => {
  const screen = openScreen(ALL)
  screen.press('down', 'space', 'q')
  expect(remembered(screen)).toEqual([])
})

test('a stage that is in use stays as it is, and agents that are gone are passed over', () => {
  const screen = openScreen(ALL)
  screen.press('down', 'down', 'down', 'space')
  screen.tell({ kind: 'remembered', memory: LEFT })
  expect(screen.state.stage.pinned).toEqual([THREE])

  const gone = openScreen(ALL)
  gone.tell({
    kind: 'remembered',
    memory: {
      ...LEFT,
      stage: { count: 4, pinned: ['20250101000000-0000'], selected: '20250101000000-0000' },
    },
  })
  gone.press('down', 'space')
  expect(gone.state.stage.pinned).toEqual([ONE])
})
