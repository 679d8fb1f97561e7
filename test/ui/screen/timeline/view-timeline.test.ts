import { describe, expect, test } from 'vitest'
import type { TimelineState } from '../../../../src/ui/screen/timeline/timeline-state.ts'
import { viewTimeline } from '../../../../src/ui/screen/timeline/view-timeline.ts'
import { span } from '../../../../src/ui/text/line.ts'
import { spansOf, textOf } from '../../../../src/ui/text/spans.ts'
import { openScreen } from '../../../support/dashboard/dashboard.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import {
  ended,
  FOUR,
  ID,
  lastCommand,
  minutesAgo,
  openList,
  running,
  stageOf,
} from '../../../support/dashboard/timelines.ts'
import { checkpointRecord, worktreeView } from '../../../support/records/records.ts'

const RECT = { x: 0, y: 0, width: 60, height: 20 }

describe('a list of checkpoints', () => {
  test('shows when, which and why, how much changed and what is left out, newest first', () => {
    expect(stageOf(openList())).toMatchInlineSnapshot(`
      "┏ b7c9 fixer · checkpoints ━━━━━━━━━━━━ 4 states ┓
      >  2m  12:06  6  at the exit          +42 −15    ┃
      ┃ 12m  11:56  5  after a pause             −3  ! ┃
      ┃ 45m  11:23  2  before the rewrit…    +4 −60    ┃
      ┃  3h  08:58  1  turn 1              +128        ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ├ Checkpoint 6 ──────────────────────────────────┤
      │ taken     12:06:00 on 2026-01-28, after 5      │
      │ commit    aaaaaaa  tree 9999999  HEAD 8888888  │
      │                                                │
      │                                                │
      └────────────────────────────────────────────────┘
       n name  w new worktree  d diff  L land  ? help"
    `)
  })

  test('counts files and names what is missing in words where there is room', () => {
    expect(stageOf(openList(ended, FOUR, { columns: 160, rows: 18 }))).toMatchInlineSnapshot(`
      "───────────────┐┏ b7c9 fixer · checkpoints ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 4 states ┓
                     │>  2m  12:06  6  at the exit                                                  +42 −15  3 files                   ┃
         ✓ ready  1m │┃ 12m  11:56  5  after a pause                                                     −3   1 file  2 files left out ┃
                     │┃ 45m  11:23  2  before the rewrite  after a pause                             +4 −60  2 files                   ┃
                     │┃  3h  08:58  1  turn 1                                                      +128      9 files                   ┃
                     │┃                                                                                                                ┃
                     │┃                                                                                                                ┃
                     │┃                                                                                                                ┃
                     │┃                                                                                                                ┃
                     │┃                                                                                                                ┃
                     │┃                                                                                                                ┃
                     │├ Checkpoint 6 ──────────────────────────────────────────────────────────────────────────────────────────────────┤
                     ││ taken     12:06:00 on 2026-01-28, after 5                                                                      │
                     ││ commit    aaaaaaa  tree 9999999  HEAD 8888888                                                                  │
                     ││                                                                                                                │
                     ││                                                                                                                │
      ───────────────┘└────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
       n name  w new worktree  d diff  L land  D discard  c checkpoint  Esc back  ? help"
    `)
  })

  test('marks what is left out where that is news', () => {
    const secret = { excluded: ['.env'] }
    const list = [checkpointRecord(secret), checkpointRecord({ ...secret, id: 2, parent: 1 })]
    const shown = viewTimeline(openList(ended, list).state.timelines[ID] as TimelineState, RECT, LOOK)
    const signs = shown.flatMap(({ body }) =>
      body.kind === 'rows'
        ? body.rows.flatMap(({ line }) => spansOf(line).filter((part) => textOf(part).trim() === '!'))
        : [],
    )
    expect(signs).toEqual([span('!', 'dim'), span('!', 'needs_you')])
  })

  test('says what is not in the selected one, in a box that is as high for each', () => {
    const screen = openList()
    screen.press('down')
    expect(stageOf(screen)).toMatchInlineSnapshot(`
      "┏ b7c9 fixer · checkpoints ━━━━━━━━━━━━ 4 states ┓
      ┃  2m  12:06  6  at the exit          +42 −15    ┃
      > 12m  11:56  5  after a pause             −3  ! ┃
      ┃ 45m  11:23  2  before the rewrit…    +4 −60    ┃
      ┃  3h  08:58  1  turn 1              +128        ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ├ Checkpoint 5 ──────────────────────────────────┤
      │ taken     11:56:00 on 2026-01-28, after 2      │
      │ commit    aaaaaaa  tree 9999999  HEAD 8888888  │
      │ left out  .env                                 │
      │           data/dump.sql                        │
      └────────────────────────────────────────────────┘
       n name  w new worktree  d diff  L land  ? help"
    `)
  })

  test('fits the smallest screen', () => {
    const screen = openList(ended, FOUR, { columns: 60, rows: 15 })
    expect(screen.draw()).toMatchInlineSnapshot(`
      [
        "┌ Worktrees ─────────────────┐┏ b7c9 fixer · checkpoints ━━┓",
        "│ ▾ my-feature               │>  2m  6  at t…   +42 −15    ┃",
        "~  └ b7c9 fixer      ✓ ready │┃ 12m  5  afte…        −3  ! ┃",
        "│                            │┃ 45m  2  befo…    +4 −60    ┃",
        "│                            │┃  3h  1  turn…  +128        ┃",
        "│                            │┃                            ┃",
        "│                            │┃                            ┃",
        "│                            │┃                            ┃",
        "│                            │├ Checkpoint 6 ──────────────┤",
        "│                            ││ taken     12:06:00 on 202… │",
        "│                            ││ commit    aaaaaaa  tree 9… │",
        "│                            ││                            │",
        "│                            ││                            │",
        "└────────────────────────────┘└────────────────────────────┘",
        " ⏎ compare  r restore  f fork  n name  ? help",
      ]
    `)
  })

  test('is asked for when it is opened, and again when it has changed', () => {
    const screen = openScreen({ worktrees: [worktreeView()], invocations: [ended] })
    screen.press('down', 'C')
    expect(screen.commands).toEqual([{ do: 'read_timeline', id: ID }])
    expect(screen.draw().join('\n')).toContain('reading its checkpoints')
    const checkpoints = { count: 4, last_at: minutesAgo(2), stamp: 'a' }
    screen.observe({ invocations: [{ ...ended, checkpoints }] })
    expect(screen.commands).toHaveLength(2)
    screen.observe({ invocations: [{ ...ended, checkpoints, worktree_name: 'other' }] })
    expect(screen.commands).toHaveLength(2)
    screen.observe({ invocations: [{ ...ended, checkpoints: { ...checkpoints, stamp: 'b' } }] })
    expect(screen.commands).toHaveLength(3)
  })

  test('keeps the person at the same checkpoint when one more is taken, and near it when it is thinned out', () => {
    const screen = openList()
    screen.press('down')
    const [first, ...rest] = FOUR
    const more = [...FOUR, checkpointRecord({ id: 7, parent: 6 })]
    screen.tell({ kind: 'timeline_read', id: ID, checkpoints: more })
    expect(screen.state.timelines[ID]?.selected).toBe(5)
    screen.tell({ kind: 'timeline_read', id: ID, checkpoints: more.filter(({ id }) => id !== 5) })
    expect(screen.state.timelines[ID]?.selected).toBe(2)
    screen.tell({ kind: 'timeline_read', id: ID, checkpoints: rest.filter(({ id }) => id > 2) })
    expect(screen.state.timelines[ID]?.selected).toBe(5)
    screen.tell({ kind: 'timeline_read', id: ID, checkpoints: first === undefined ? [] : [first] })
    expect(screen.state.timelines[ID]?.selected).toBe(1)
  })

  test('scrolls with the selection', () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      checkpointRecord({ id: n + 1, parent: n === 0 ? null : n, created_at: minutesAgo(60 - n) }),
    )
    const screen = openList(ended, many)
    screen.press('end')
    expect(stageOf(screen)).toContain('   1  after a pause')
    expect(stageOf(screen)).not.toContain('  60  ')
    screen.press('page_up', 'home')
    expect(stageOf(screen)).toContain('  60  after a pause')
  })

  test('without any says what takes them, and which key does', () => {
    expect(stageOf(openList(running, []))).toMatchInlineSnapshot(`
      "┏ b7c9 fixer · checkpoints ━━━━━━━━━━━━━━━━━━━━━━┓
      ┃                                                ┃
      ┃ No checkpoint yet                              ┃
      ┃                                                ┃
      ┃ One is taken when its work pauses, after each  ┃
      ┃ of its turns and when it ends, if something    ┃
      ┃ has changed. You can go back to any of them.   ┃
      ┃                                                ┃
      ┃ c takes one now   Esc back                     ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
      card  c checkpoint  Esc back  ? help"
    `)
  })

  test('that cannot be read says why, and what to press', () => {
    const screen = openList()
    const error = {
      code: 'E_RECORD_UNREADABLE',
      message: '/data/checkpoints.json: bad',
      hint: 'agency doctor',
    }
    screen.tell({ kind: 'timeline_failed', id: ID, error })
    expect(stageOf(screen)).toMatchInlineSnapshot(`
      "┏ b7c9 fixer · checkpoints ━━━━━━━━━━━━━━━━━━━━━━┓
      ┃                                                ┃
      ┃ Its checkpoints could not be read              ┃
      ┃                                                ┃
      ┃ /data/checkpoints.json: bad                    ┃
      ┃ agency doctor (E_RECORD_UNREADABLE)            ┃
      ┃                                                ┃
      ┃ C tries again   Esc back                       ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┃                                                ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
      d  D discard  c checkpoint  Esc back  ? help"
    `)
    screen.press('C')
    expect(lastCommand(screen)).toEqual({ do: 'read_timeline', id: ID })
  })

  test('shows control characters of names and paths, and never obeys them', () => {
    const hostile = checkpointRecord({ name: 'a\x1b[31mb', excluded: ['x\ny\x1b]0;t\x07'] })
    const shown = openList(ended, [hostile]).draw().join('\n')
    expect(shown).not.toContain('\x1b')
    expect(shown).toContain('a\\x1b[31mb')
  })

  test('leaves by Esc to the tree', () => {
    const screen = openList()
    screen.press('escape')
    expect(screen.state.stage.active).toBe(null)
    expect(screen.draw().join('\n')).not.toContain('checkpoints')
  })
})

describe('the row in the tree', () => {
  test('shows how old the last checkpoint is, and the detail how many there are', () => {
    const row = { ...running, checkpoints: { count: 4, last_at: minutesAgo(2), stamp: 'a' } }
    const screen = openScreen({ worktrees: [worktreeView()], invocations: [row] }, { columns: 80, rows: 24 })
    screen.press('down')
    const shown = screen.draw().join('\n')
    expect(shown).toContain('◷ 2m')
    expect(shown).toContain('kept   4 states, 2m ago')
  })
})
