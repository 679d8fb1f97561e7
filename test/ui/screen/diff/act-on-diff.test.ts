import { describe, expect, test } from 'vitest'
import type { SandboxDiff } from '../../../../src/core/model/change.ts'
import { actOnDiff, type DiffKey } from '../../../../src/ui/screen/diff/act-on-diff.ts'
import {
  type DiffState,
  type DiffWant,
  failDiff,
  loadDiff,
  openDiff,
  receiveDiff,
} from '../../../../src/ui/screen/diff/diff-state.ts'
import { type Pointing, pointDiff } from '../../../../src/ui/screen/diff/point-diff.ts'
import { searchDiff } from '../../../../src/ui/screen/diff/search-diff.ts'
import { viewDiff } from '../../../../src/ui/screen/diff/view-diff.ts'
import type { SceneBox } from '../../../../src/ui/screen/scene.ts'
import { drawBoxes, textOf } from '../../../support/dashboard/drawing.ts'
import { fileChange, patchOf, sandboxDiff } from '../../../support/records/diffs.ts'
import { commitOf } from '../../../support/records/records.ts'

const NOW = new Date('2026-01-28T12:00:00.000Z')
const SIZE = { columns: 90, rows: 12 }
const RECT = { x: 0, y: 0, width: SIZE.columns, height: SIZE.rows }
const LOOK = { now: NOW, focused: true, ascii: false, tick: 0 }
const opened = openDiff({ id: 'x', name: 'b7c9 claude' }, NOW)

const hunk = (at: number, length = 1): string[] => [
  `@@ -${at},${length + 1} +${at},${length + 1} @@`,
  ' same',
  ...Array.from({ length }, (_, line) => [`-old ${at + line}`, `+new ${at + line}`]).flat(),
]

const commits = ['a', 'b'].map((digit) => ({
  commit: commitOf(digit),
  author: 'Agent',
  authored_at: '2026-01-28T11:00:00Z',
  subject: `Subject ${digit}`,
}))

const WORK = sandboxDiff({
  commits,
  dirty: true,
  files: [fileChange('a.ts'), fileChange('pic.png', { binary: true }), fileChange('b.ts')],
  patch: patchOf('a.ts', ...hunk(1), ...hunk(50, 9)) + patchOf('b.ts', ...hunk(1)),
})

const receive = (diff: SandboxDiff, state: DiffState = opened): DiffState => receiveDiff(state, diff)

function press(state: DiffState, ...keys: readonly DiffKey[]): DiffState & { wanted: DiffWant | null } {
  return keys.reduce<DiffState & { wanted: DiffWant | null }>(
    (before, key) => {
      const { state: after, wants } = actOnDiff(before, key, SIZE)
      return { ...after, wanted: wants }
    },
    { ...state, wanted: null },
  )
}

const boxOf = (state: DiffState, name: string): SceneBox | undefined =>
  viewDiff(state, RECT, LOOK).find(({ key }) => key === `diff:x:${name}`)

/** The text of the row that the bar is on. */
function place(state: DiffState, name = 'hunks'): string {
  const box = boxOf(state, name)
  const rows = box?.body.kind === 'rows' ? box.body.rows : []
  return textOf(rows.find(({ bar }) => bar === 'selected')?.line ?? '(none)')
    .replace(/ +/g, ' ')
    .trim()
}

describe('moving', () => {
  test('in the files brings each file to the top of the hunks', () => {
    const state = press(receive(WORK), 'move.down', 'move.down')
    expect(place(state, 'files')).toBe('M b.ts +1 −1')
    expect(textOf(boxOf(state, 'hunks')?.border?.title ?? '')).toBe('b.ts')
    expect(place(press(state, 'move.up', 'move.up', 'move.up'), 'files')).toBe('M a.ts +1 −1')
  })

  test('in the hunks takes the selected file along', () => {
    const state = press(receive(WORK), 'move.right', 'move.last')
    expect(place(state)).toBe('2 + new 1')
    expect(textOf(boxOf(state, 'hunks')?.border?.title ?? '')).toBe('b.ts')
    expect(press(state, 'move.first').cursor).toBe(0)
  })

  test('goes from hunk to hunk, and to what has none', () => {
    const stops = ['@@ -1,2 +1,2 @@', '@@ -50,10 +50,10 @@', 'binary: not shown', '@@ -1,2 +1,2 @@']
    let state = press(receive(WORK), 'move.right')
    for (const stop of [...stops, stops[3]]) {
      state = press(state, 'diff.next_hunk')
      expect(place(state)).toBe(stop)
    }
    for (const stop of stops.slice(0, 3).reverse()) {
      state = press(state, 'diff.previous_hunk')
      expect(place(state)).toBe(stop)
    }
  })

  test('always leaves the cursor to be seen, page by page too', () => {
    let state = press(receive(WORK), 'move.right')
    for (const key of [
      'move.page_down',
      'move.page_down',
      'move.up',
      'move.page_up',
      'move.page_up',
    ] as const) {
      state = press(state, key)
      expect(place(state)).not.toBe('(none)')
    }
    expect(state.cursor).toBe(0)
  })

  test('right and left go between files and hunks, and move the code', () => {
    const hunks = press(receive(WORK), 'move.right')
    expect(hunks.focus).toBe('hunks')
    const moved = press(hunks, 'move.right', 'move.right', 'move.left')
    expect([moved.focus, moved.shift]).toEqual(['hunks', 8])
    expect(press(moved, 'move.left', 'move.left').focus).toBe('files')
  })

  test('is harmless where there is nothing', () => {
    const keys = [
      'move.down',
      'move.last',
      'diff.next_hunk',
      'diff.fold',
      'diff.next_match',
      'diff.commits',
    ] as const
    for (const state of [opened, receive(sandboxDiff())]) {
      for (const focus of ['files', 'hunks'] as const) {
        expect(press({ ...state, focus }, ...keys)).toMatchObject({ cursor: 0, wanted: null })
      }
    }
  })
})

test('a file is folded and unfolded', () => {
  const folded = press(receive(WORK), 'diff.fold')
  expect(
    drawBoxes(viewDiff(folded, RECT, LOOK), SIZE)
      .slice(1, 5)
      .map((line) => line.slice(27, 60)),
  ).toEqual([
    '│ ▸ M a.ts                       ',
    '│   22 lines, folded: enter unfol',
    '│                                ',
    '│ ▾ M pic.png                    ',
  ])
  expect(press(folded, 'diff.fold').flow.heads).toEqual(receive(WORK).flow.heads)
})

describe('what has to be read anew', () => {
  test('is the same without white space, from the same place', () => {
    const asked = press(receive(WORK), 'move.right', 'diff.next_hunk', 'diff.next_hunk', 'diff.whitespace')
    expect(asked.wanted).toEqual({ patch: true, ignore_whitespace: true })
    expect(place(asked)).toBe('@@ -50,10 +50,10 @@')
    const fresh = { ...WORK, ignore_whitespace: true, patch: Buffer.from(patchOf('a.ts', ...hunk(50, 9))) }
    const received = receive(fresh, asked)
    expect(place(received)).toBe('@@ -50,10 +50,10 @@')
    expect(textOf(boxOf(received, 'hunks')?.border?.note ?? '')).toBe('white space hidden')
    expect(press(received, 'diff.whitespace').wanted).toEqual({ patch: true, ignore_whitespace: false })
  })

  test('is what no commit holds, then commit by commit, then all again', () => {
    const first = press(receive(WORK), 'diff.commits')
    expect(first.wanted).toEqual({ patch: true, ignore_whitespace: false, part: 'uncommitted' })
    expect(place(first, 'commits')).toBe('uncommitted')
    const next = press(first, 'move.down')
    expect(next.wanted?.part).toBe(commitOf('a'))
    expect(place(next, 'commits')).toBe('aaaaaaa Subject a')
    expect(press(next, 'move.right').focus).toBe('files')
    expect(press(next, 'diff.commits').wanted).toEqual({ patch: true, ignore_whitespace: false })
  })

  test('is not shown as what was there before, and no late answer takes its place', () => {
    const asked = loadDiff(press(receive(WORK), 'diff.commits', 'move.down'), NOW)
    expect(drawBoxes(viewDiff(asked, RECT, LOOK), SIZE).join('\n')).toContain('reading the commit')
    expect(receive({ ...WORK, part: 'uncommitted' }, asked)).toBe(asked)
    const part = receive({ ...WORK, part: commitOf('a'), files: [fileChange('b.ts')] }, asked)
    expect(drawBoxes(viewDiff(part, RECT, LOOK), SIZE)).toEqual([
      '┏ 2 commits ━━━━━━━━━━━━━━┓┌ b.ts ───────────────────────────────────────────────────────┐',
      '┃ uncommitted             ┃│ ▾ M b.ts                                              +1 −1 │',
      '> aaaaaaa Subject a       ┃│ @@ -1,2 +1,2 @@                                             │',
      '├ 1 file +1 −1 ───────────┤│   1   1   same                                              │',
      '~ M b.ts            +1 −1 │-   2     - old 1                                             │',
      '│                         │+       2 + new 1                                             │',
      '│                         ││                                                             │',
      '│                         ││                                                             │',
      '│                         ││                                                             │',
      '│                         ││                                                             │',
      '│                         ││                                                             │',
      '└─────────────────────────┘└─────────────────────────────────────────────────────────────┘',
    ])
  })

  test('keeps the line that the person is at when lines come before it', () => {
    const state = press(
      receive(WORK),
      'move.right',
      'diff.next_hunk',
      'diff.next_hunk',
      'move.down',
      'move.down',
      'move.down',
    )
    expect(place(state)).toBe('51 + new 50')
    const more = patchOf('a.ts', ...hunk(1, 5), ...hunk(20, 3), ...hunk(50, 9)) + patchOf('b.ts', ...hunk(1))
    const after = receive({ ...WORK, patch: Buffer.from(more) }, loadDiff(state, NOW))
    expect(place(after)).toBe('51 + new 50')
    expect(after.cursor - after.tops.hunks).toBe(state.cursor - state.tops.hunks)
  })

  test('may fail, and come back to the same place', () => {
    const state = press(receive(WORK), 'move.right', 'diff.next_hunk')
    const failed = failDiff(state, { code: 'E_GIT_FAILED', message: 'it broke', hint: 'agency doctor' })
    expect(press(failed, 'move.down', 'diff.next_hunk', 'move.page_down', 'diff.fold').cursor).toBe(
      state.cursor,
    )
    expect(place(receive(WORK, failed))).toBe(place(state))
  })
})

describe('the search', () => {
  test('goes to each match and begins again', () => {
    let state = searchDiff(receive(WORK), 'new 5')
    const seen = [1, 2, 3].map(() => {
      const here = place(press(state))
      state = press(state, 'diff.next_match')
      return here
    })
    expect(seen).toEqual(['51 + new 50', '52 + new 51', '53 + new 52'])
    expect(textOf(boxOf(state, 'hunks')?.border?.note ?? '')).toBe('new 5: 4/9')
    expect(place(press(state, ...Array<DiffKey>(6).fill('diff.next_match')))).toBe('51 + new 50')
  })

  test('unfolds what it finds, and says where it finds nothing', () => {
    const folded = press(receive(WORK), 'move.down', 'move.down', 'diff.fold')
    expect(place(press(searchDiff(folded, 'OLD 1')))).toBe('(none)')
    expect(textOf(boxOf(searchDiff(folded, 'OLD 1'), 'hunks')?.border?.note ?? '')).toBe('OLD 1: nothing')
    const found = press(searchDiff(folded, 'old 1'))
    expect([place(found), found.focus]).toEqual(['2 - old 1', 'hunks'])
    expect(searchDiff(found, '').search).toBeNull()
  })
})

describe('the mouse', () => {
  const at = (state: DiffState, [x, y]: readonly [x: number, y: number], deed: Pointing = 'click') =>
    pointDiff(state, { point: { x, y }, deed, rect: { ...RECT, x: 5, y: 7 } })

  test('selects a file, a line, a commit', () => {
    expect(place(at(receive(WORK), [3, 3]).state, 'files')).toBe('M b.ts +1 −1')
    expect(place(at(receive(WORK), [40, 2]).state)).toBe('@@ -1,2 +1,2 @@')
    const byCommit = press(receive(WORK), 'diff.commits')
    expect(at(byCommit, [3, 2]).wants?.part).toBe(commitOf('a'))
  })

  test('scrolls the hunks and takes the cursor along only at the edge', () => {
    const state = press(receive(WORK), 'move.right')
    const down = at(state, [40, 5], 'wheel_down').state
    expect([down.tops.hunks, down.cursor]).toEqual([3, 3])
    expect([at(down, [40, 5], 'wheel_up').state.tops.hunks, down.cursor]).toEqual([0, 3])
    expect(at(state, [40, 5], 'wheel_up').state.tops.hunks).toBe(0)
  })

  test('outside of everything does nothing', () => {
    const state = receive(WORK)
    for (const [x, y] of [
      [-1, 0],
      [90, 3],
      [3, 12],
      [40, 0],
    ] as const)
      expect(at(state, [x, y]).wants).toBeNull()
  })
})
