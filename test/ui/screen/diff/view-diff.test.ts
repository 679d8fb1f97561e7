import { describe, expect, test } from 'vitest'
import type { SandboxDiff } from '../../../../src/core/model/change.ts'
import { type DiffState, failDiff, openDiff, receiveDiff } from '../../../../src/ui/screen/diff/diff-state.ts'
import { viewDiff } from '../../../../src/ui/screen/diff/view-diff.ts'
import type { Look, Size } from '../../../../src/ui/screen/scene.ts'
import { drawBoxes } from '../../../support/dashboard/drawing.ts'
import { fileChange, patchOf, sandboxDiff } from '../../../support/records/diffs.ts'

const NOW = new Date('2026-01-28T12:00:00.000Z')
const LOOK: Look = { now: NOW, focused: true, ascii: false, tick: 0 }
const opened = openDiff({ id: 'x', name: 'b7c9 claude' }, NOW)

const WORK = sandboxDiff({
  files: [
    fileChange('src/ui/screen/input/parser.ts', { added: 2, deleted: 1 }),
    fileChange('new.txt', {
      kind: 'added',
      deleted: 0,
      added: 1,
      uncommitted: true,
      untracked: true,
      old_mode: '000000',
    }),
    fileChange('pic.png', { binary: true, added: null, deleted: null }),
  ],
  patch: [
    patchOf(
      'src/ui/screen/input/parser.ts',
      '@@ -7,3 +7,4 @@ function parse() {',
      ' const same = 1',
      '-const old = 2',
      "+const fresh = 'two'",
      '+\tconst more = 3',
      ' }',
    ),
    'diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\r\n\\ No newline at end of file\n',
    'diff --git a/pic.png b/pic.png\nindex 1..2\nGIT binary patch\nliteral 1\nxxx\n\n',
  ].join(''),
})

const shown = (diff: SandboxDiff): DiffState => receiveDiff(opened, diff)

function draw(state: DiffState, size: Size, look: Partial<Look> = {}): string[] {
  const rect = { x: 0, y: 0, width: size.columns, height: size.rows }
  return drawBoxes(viewDiff(state, rect, { ...LOOK, ...look }), size)
}

describe('the diff view', () => {
  test('shows files at the left and hunks at the right', () => {
    expect(draw(shown(WORK), { columns: 96, rows: 18 })).toEqual([
      '┏ 3 files +3 −1 ━━━━━━━━━━━━┓┌ src/ui/screen/input/parser.ts ──────────────────────────────────┐',
      '> M src/ui/s…rser.ts  +2 −1 ┃│ ▾ M src/ui/screen/input/parser.ts                         +2 −1 │',
      '┃ ? new.txt              +1 ┃│ @@ -7,3 +7,4 @@ function parse() {                              │',
      '┃ M pic.png          binary ┃│   7   7   const same = 1                                        │',
      '┃                           ┃-   8     - const old = 2                                         │',
      "┃                           ┃+       8 + const fresh = 'two'                                   │",
      '┃                           ┃+       9 +     const more = 3                                    │',
      '┃                           ┃│   9  10   }                                                     │',
      '┃                           ┃│                                                                 │',
      '┃                           ┃│ ▾ ? new.txt                                       untracked  +1 │',
      '┃                           ┃│ @@ -0,0 +1 @@                                                   │',
      '┃                           ┃+       1 + hello\\r                                               │',
      '┃                           ┃│           No newline at end of file                             │',
      '┃                           ┃│                                                                 │',
      '┃                           ┃│ ▾ M pic.png                                              binary │',
      '┃                           ┃│   binary: not shown                                             │',
      '┃                           ┃│                                                                 │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━┛└─────────────────────────────────────────────────────────────────┘',
    ])
  })

  test('has the list above the hunks on a narrow place, and hides it while the hunks have the focus', () => {
    expect(draw(shown(WORK), { columns: 60, rows: 12 })).toEqual([
      '┏ 3 files +3 −1 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓',
      '> M src/ui/screen/input/parser.ts                    +2 −1 ┃',
      '┃ ? new.txt                                  untracked  +1 ┃',
      '┃ M pic.png                                         binary ┃',
      '├ src/ui/screen/input/parser.ts ───────────────────────────┤',
      '│ ▾ M src/ui/screen/input/parser.ts                  +2 −1 │',
      '│ @@ -7,3 +7,4 @@ function parse() {                       │',
      '│   7   const same = 1                                     │',
      '-   8 - const old = 2                                      │',
      "+   8 + const fresh = 'two'                                │",
      '+   9 +     const more = 3                                 │',
      '└──────────────────────────────────────────────────────────┘',
    ])
    expect(draw({ ...shown(WORK), focus: 'hunks' }, { columns: 48, rows: 10 }, { ascii: true })).toEqual([
      '┏ src/ui/screen/input/parser.ts ━━━━━━━━━━━━━━━┓',
      '> - M src/ui/screen/input/parser.ts      +2 -1 ┃',
      '┃ @@ -7,3 +7,4 @@ function parse() {           ┃',
      '┃   7   const same = 1                         ┃',
      '-   8 - const old = 2                          ┃',
      "+   8 + const fresh = 'two'                    ┃",
      '+   9 +     const more = 3                     ┃',
      '┃  10   }                                      ┃',
      '┃                                              ┃',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
    ])
  })

  test('breaks at no size', () => {
    for (const state of [
      opened,
      shown(WORK),
      { ...shown(WORK), focus: 'hunks' as const },
      shown(sandboxDiff()),
    ]) {
      for (let columns = 1; columns < 90; columns += 7) {
        for (let rows = 1; rows < 14; rows += 1) draw(state, { columns, rows })
      }
    }
  })

  test('says that it reads, and for how long', () => {
    const later = { now: new Date(NOW.getTime() + 3000) }
    expect(draw(opened, { columns: 80, rows: 4 }, later)).toEqual([
      '┏ b7c9 claude ━━━━━━━━━━━┓┌ b7c9 claude ───────────────────────────────────────┐',
      '┃                        ┃│ reading its changes, 3s                            │',
      '┃                        ┃│                                                    │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────────────────────────────────┘',
    ])
  })

  test('says of nothing what it is: never an error', () => {
    expect(draw(shown(sandboxDiff({ incomplete: ['vendor/.git'] })), { columns: 80, rows: 7 })).toEqual([
      '┏ 0 files ━━━━━━━━━━━━━━━┓┌ b7c9 claude ───────────────────────────────────────┐',
      '┃                        ┃│ It has changed nothing that git can hold.          │',
      '┃                        ┃│ not included: vendor/.git                          │',
      '┃                        ┃│                                                    │',
      '┃                        ┃│ d looks again  escape back                         │',
      '┃                        ┃│                                                    │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────────────────────────────────┘',
    ])
  })

  test('says what went wrong, why, and what to press: never that there is nothing', () => {
    const failure = {
      code: 'E_GIT_FAILED',
      message: 'git diff-tree failed (exit 128): fatal: unable to read 1234567',
      hint: 'agency doctor',
    }
    expect(draw(failDiff(shown(WORK), failure), { columns: 80, rows: 10 })).toEqual([
      '┏ b7c9 claude ━━━━━━━━━━━┓┌ b7c9 claude ───────────────────────────────────────┐',
      '┃                        ┃│ Its changes could not be read  E_GIT_FAILED        │',
      '┃                        ┃│                                                    │',
      '┃                        ┃│ git diff-tree failed (exit 128): fatal: unable to  │',
      '┃                        ┃│ read 1234567                                       │',
      '┃                        ┃│ agency doctor                                      │',
      '┃                        ┃│                                                    │',
      '┃                        ┃│ d tries again  escape back                         │',
      '┃                        ┃│                                                    │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────────────────────────────────┘',
    ])
  })

  test('folds what is very large, and says how to unfold it', () => {
    const lines = Array.from({ length: 2500 }, (_, line) => `+line ${line}`)
    const large = sandboxDiff({
      files: [fileChange('large.txt', { kind: 'added', added: 2500, deleted: 0 })],
      patch: patchOf('large.txt', '@@ -0,0 +1,2500 @@', ...lines),
    })
    expect(draw(shown(large), { columns: 80, rows: 6 })).toEqual([
      '┏ 1 file +2500 ━━━━━━━━━━┓┌ large.txt ─────────────────────────────────────────┐',
      '> A large.txt      +2500 ┃│ ▸ A large.txt                                +2500 │',
      '┃                        ┃│   2500 lines, folded: enter unfolds it             │',
      '┃                        ┃│                                                    │',
      '┃                        ┃│                                                    │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────────────────────────────────┘',
    ])
  })

  test('lists what is not included before all files', () => {
    expect(draw(shown({ ...WORK, incomplete: ['vendor/lib'] }), { columns: 96, rows: 6 })).toEqual([
      '┏ 3 files +3 −1 ━━━━━━━━━━━━┓┌ src/ui/screen/input/parser.ts ──────────────────────────────────┐',
      '> M src/ui/s…rser.ts  +2 −1 ┃│ not included: vendor/lib                                        │',
      '┃ ? new.txt              +1 ┃│                                                                 │',
      '┃ M pic.png          binary ┃│ ▾ M src/ui/screen/input/parser.ts                         +2 −1 │',
      '┃                           ┃│ @@ -7,3 +7,4 @@ function parse() {                              │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━┛└─────────────────────────────────────────────────────────────────┘',
    ])
  })

  test('shows what an agent wrote and commands nothing with it', () => {
    const quoted = '"b/a\\033[2J\\nb' + '\u202e.ts"'
    const evil = sandboxDiff({
      files: [fileChange('a\x1b[2J\nb\u202e.ts')],
      patch: `diff --git "a/x" "b/x"\n--- "a/x"\n+++ ${quoted}\n@@ -1 +1 @@ \x1b]0;x\x07\n-\x1b[31m{bold}\n+世界\tx\u0301\r\n`,
    })
    expect(draw(shown(evil), { columns: 96, rows: 7 })).toEqual([
      '┏ 1 file +1 −1 ━━━━━━━━━━━━━┓┌ a\\x1b[2J\\nb\\u202e.ts ───────────────────────────────────────────┐',
      '> M a\\x1b[2J…202e.ts  +1 −1 ┃│ ▾ M a\\x1b[2J\\nb\\u202e.ts                                  +1 −1 │',
      '┃                           ┃│ @@ -1 +1 @@ \\x1b]0;x\\x07                                        │',
      '┃                           ┃-   1     - \\x1b[31m{bold}                                        │',
      '┃                           ┃+       1 + 世界  x́\\r                                             │',
      '┃                           ┃│                                                                 │',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━┛└─────────────────────────────────────────────────────────────────┘',
    ])
  })
})

describe('code', () => {
  const wide = sandboxDiff({
    files: [fileChange('w.txt')],
    patch: patchOf('w.txt', '@@ -1 +1 @@', `-${'0123456789'.repeat(9)}`, `+${'世界'.repeat(20)}end`),
  })

  test('that is wider than its place ends in an ellipsis, and can be moved', () => {
    const state: DiffState = { ...shown(wide), focus: 'hunks' }
    expect(draw(state, { columns: 40, rows: 6 })).toEqual([
      '┏ w.txt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓',
      '> ▾ M w.txt                      +1 −1 ┃',
      '┃ @@ -1 +1 @@                          ┃',
      '-   1 - 012345678901234567890123456789…┃',
      '+   1 + 世界世界世界世界世界世界世界世…┃',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
    ])
    expect(draw({ ...state, shift: 3 }, { columns: 40, rows: 6 })).toEqual([
      '┏ w.txt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓',
      '> ▾ M w.txt                      +1 −1 ┃',
      '┃ @@ -1 +1 @@                          ┃',
      '-   1 - 345678901234567890123456789012…┃',
      '+   1 +  世界世界世界世界世界世界世界… ┃',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
    ])
  })
})
