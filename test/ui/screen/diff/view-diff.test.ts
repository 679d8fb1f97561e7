import { describe, expect, test } from 'vitest'
import type { SandboxDiff } from '../../../../src/core/model/change.ts'
import {
  type DiffState,
  failDiff,
  openDiff,
  receiveDiff,
} from '../../../../src/ui/screen/diff/diff-state.ts'
import { viewDiff } from '../../../../src/ui/screen/diff/view-diff.ts'
import type { Look, Size } from '../../../../src/ui/screen/scene.ts'
import { fileChange, patchOf, sandboxDiff } from '../../../support/diffs.ts'
import { drawBoxes } from '../../../support/drawing.ts'

const NOW = new Date('2026-01-28T12:00:00.000Z')
const LOOK: Look = { now: NOW, focused: true, ascii: false, tick: 0 }
const opened = openDiff({ id: 'x', name: 'b7c9 claude' }, NOW)

const WORK = sandboxDiff({
  files: [
    fileChange('src/ui/screen/input/parser.ts', { added: 2, deleted: 1 }),
    fileChange('new.txt', { kind: 'added', deleted: 0, added: 1, uncommitted: true, untracked: true, old_mode: '000000' }),
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
    console.log(draw(shown(WORK), { columns: 100, rows: 24 }).join('\n'))
    console.log(draw({ ...shown(WORK), focus: 'hunks' }, { columns: 60, rows: 24 }).join('\n'))
    console.log(draw(shown(WORK), { columns: 60, rows: 24 }).join('\n'))
    console.log(draw(shown(WORK), { columns: 20, rows: 5 }).join('\n'))
    console.log(draw(opened, { columns: 80, rows: 6 }, { now: new Date(NOW.getTime() + 3000) }).join('\n'))
    console.log(draw(shown(sandboxDiff()), { columns: 80, rows: 6 }).join('\n'))
    console.log(draw(failDiff(opened, { code: 'E_GIT_FAILED', message: 'git diff-tree failed (exit 128): fatal: bad object', hint: 'agency doctor' }), { columns: 80, rows: 10 }).join('\n'))
    expect(1).toBe(1)
  })
})
