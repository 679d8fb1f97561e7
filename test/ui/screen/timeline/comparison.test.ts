import { describe, expect, test } from 'vitest'
import { whyNot } from '../../../../src/ui/screen/state/why-not.ts'
import { NOW, observed, openScreen, type Screen } from '../../../support/dashboard/dashboard.ts'
import {
  ended,
  FOUR,
  ID,
  lastCommand,
  openList,
  running,
  stageOf,
} from '../../../support/dashboard/timelines.ts'
import { fileChange, patchOf, sandboxDiff } from '../../../support/records/diffs.ts'
import { FINISHED, worktreeView } from '../../../support/records/records.ts'

describe('the diff of a checkpoint', () => {
  const diff = sandboxDiff({
    files: [fileChange('src/greet.ts')],
    patch: patchOf('src/greet.ts', '@@ -1 +1 @@\n-hello\n+good day'),
  })

  function openDiff(row = ended): Screen {
    const screen = openList(row)
    screen.press('enter')
    const want = { checkpoint: 6, against: 'before' } as const
    expect(lastCommand(screen)).toEqual({ do: 'compare', id: ID, want })
    screen.tell({ kind: 'timeline_compared', id: ID, want, diff })
    return screen
  }

  test('says what it is against, and shows its row above', () => {
    expect(stageOf(openDiff())).toMatchInlineSnapshot(`
      "┌ checkpoint 6 against the one before ───────────┐
      │  2m  12:06  6  at the exit             +42 −15 │
      ┣ 1 file +1 −1 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      > M src/greet.ts                           +1 −1 ┃
      ├ src/greet.ts ──────────────────────────────────┤
      │ ▾ M src/greet.ts                         +1 −1 │
      │ @@ -1 +1 @@                                    │
      -   1 - hello                                    │
      +   1 + good day                                 │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      │                                                │
      └────────────────────────────────────────────────┘
      p previous hunk  r restore  f fork  ? help"
    `)
  })

  test('goes on to the base, to now, and round; an answer that comes too late is dropped', () => {
    const screen = openDiff()
    const wants = ['base', 'now', 'before'].map((against) => {
      screen.press('enter')
      return against
    })
    const asked = screen.commands.flatMap((command) =>
      command.do === 'compare' ? [command.want.against] : [],
    )
    expect(asked).toEqual(['before', ...wants])
    screen.press('enter')
    screen.tell({ kind: 'timeline_compared', id: ID, want: { checkpoint: 6, against: 'before' }, diff })
    expect(stageOf(screen)).toContain('reading its changes')
    expect(stageOf(screen)).toContain('checkpoint 6 against the base')
  })

  test('of the first one begins with the base, and has no now where the sandbox is gone', () => {
    const landed = observed({ ...FINISHED, landing_status: 'landed' }, { display: 'landed' })
    const screen = openScreen({ worktrees: [worktreeView()], invocations: [landed] })
    screen.press('a', 'down', 'C')
    screen.tell({ kind: 'timeline_read', id: ID, checkpoints: FOUR })
    screen.press('end', 'enter')
    expect(lastCommand(screen)).toMatchObject({ want: { checkpoint: 1, against: 'base' } })
    expect(whyNot(screen.state, 'compare.against')).toBe('there is nothing else to compare it with')
  })

  test('has the keys of a diff, and leaves by Esc to the list', () => {
    const screen = openDiff()
    screen.press('right', 'n')
    expect(screen.state.timelines[ID]?.comparison?.diff).toMatchObject({ focus: 'hunks', cursor: 1 })
    screen.press('/')
    screen.type('day')
    screen.press('enter')
    expect(stageOf(screen)).toContain('day: ')
    screen.press('t')
    expect(screen.state.hint).toBe('only in the diff of all its work: d shows it')
    screen.press('escape')
    expect(stageOf(screen)).toContain('checkpoints')
    expect(screen.state.stage.active).toBe(ID)
  })

  test('against now is read again when the agent has changed something', () => {
    const measured = (added: number) => ({
      ...running,
      diff: { value: { added, deleted: 0, files: 1 }, at: NOW, failed: null },
    })
    const screen = openDiff(measured(1))
    screen.press('enter', 'enter')
    const before = screen.commands.length
    screen.observe({ invocations: [measured(2)] })
    expect(screen.commands.slice(before)).toEqual([
      { do: 'compare', id: ID, want: { checkpoint: 6, against: 'now' } },
    ])
  })

  test('against now is read again when one more checkpoint was taken, as something has changed then', () => {
    const screen = openDiff(running)
    screen.press('enter', 'enter')
    const before = screen.commands.length
    screen.observe({ invocations: [{ ...running, checkpoints: { count: 5, last_at: '', stamp: 'b' } }] })
    expect(screen.commands.slice(before)).toEqual([
      { do: 'read_timeline', id: ID },
      { do: 'compare', id: ID, want: { checkpoint: 6, against: 'now' } },
    ])
  })

  test('that cannot be read says why', () => {
    const screen = openDiff()
    screen.press('enter')
    const error = { code: 'E_GIT_FAILED', message: 'bad object', hint: 'agency doctor' }
    const want = { checkpoint: 6, against: 'base' } as const
    screen.tell({ kind: 'timeline_not_compared', id: ID, want, error })
    expect(stageOf(screen)).toContain('bad object')
    expect(stageOf(screen)).not.toContain('tries again')
  })
})
