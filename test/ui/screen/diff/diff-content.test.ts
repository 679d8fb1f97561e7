import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffInvocation } from '../../../../src/core/operations/sandboxes/diff-invocation.ts'
import { type DiffFile, readDiffContent } from '../../../../src/ui/screen/diff/diff-content.ts'
import { applyEdit, edits } from '../../../support/git/random-edits.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { fileChange, patchOf, sandboxDiff } from '../../../support/records/diffs.ts'
import { sample } from '../../../support/run/sampled.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

const countOf = ({ hunks }: DiffFile, kind: string): number =>
  hunks.reduce(
    (sum, hunk) =>
      sum +
      Array.from({ length: hunk.length }, (_, at) => hunk.line(at)).filter((line) => line.kind === kind)
        .length,
    0,
  )

test('every change of a sandbox has its lines or a remark, whatever was done', async () => {
  const scene = await makeScene({ a: 'one\ntwo\n', 'd/a': ' x\n', 'src/x.ts': 'y\r\nz\n' })
  await fc.assert(
    fc.asyncProperty(edits, fc.boolean(), async (made, ignore_whitespace) => {
      shell(scene.tree, `git checkout -q -f --detach ${scene.record.base_commit}; git clean -qfdx -e .agency`)
      for (const edit of made) applyEdit(scene.tree, edit)
      const diff = await diffInvocation(scene.repository, scene.record, { patch: true, ignore_whitespace })
      for (const file of readDiffContent(diff).files) {
        const { added, deleted, binary, kind } = file.change
        expect(file.remarks).not.toContain('git printed no patch of it')
        expect(file.hunks.length + file.remarks.length).toBeGreaterThan(0)
        // If a file became a link, git counts the lines that differ, but shows all lines of both.
        if (!binary && kind !== 'type_changed')
          expect([countOf(file, 'added'), countOf(file, 'removed')]).toEqual([added, deleted])
      }
    }),
    { numRuns: sweptRounds(20) },
  )
})

describe('what has no lines', () => {
  sample(test).each([
    [{ binary: true, added: null, deleted: null }, ['binary: not shown']],
    [{ new_mode: '100755', added: 0, deleted: 0 }, ['made executable']],
    [{ old_mode: '100755', added: 0, deleted: 0 }, ['no longer executable']],
    [{ kind: 'added', added: 0, deleted: 0, old_mode: '000000' }, ['empty']],
    [{ kind: 'renamed', from_path: 'y', added: 0, deleted: 0 }, ['moved as it was']],
    [{ kind: 'type_changed', new_mode: '120000' }, ['was a file, is a symbolic link']],
    [{ kind: 'added', new_mode: '160000' }, ['nested repository: only its commit is kept']],
    [{ added: 3 }, ['git printed no patch of it']],
  ] as const)('is said in words: %j', (change, remarks) => {
    const [file] = readDiffContent(sandboxDiff({ files: [fileChange('x', change)] })).files
    expect(file?.remarks).toEqual(remarks)
  })

  test('where white space is ignored, that nothing else differs', () => {
    const files = [fileChange('x', { added: 0, deleted: 0 })]
    const [file] = readDiffContent(sandboxDiff({ files, ignore_whitespace: true })).files
    expect(file?.remarks).toEqual(['differs in white space only'])
  })
})

test('a file that became a link has both of its patches', () => {
  const patch = patchOf('x', '@@ -1 +0,0 @@', '-text') + patchOf('x', '@@ -0,0 +1 @@', '+target')
  const files = [fileChange('x', { kind: 'type_changed', new_mode: '120000' }), fileChange('y')]
  const [link, other] = readDiffContent(
    sandboxDiff({ files, patch: patch + patchOf('y', '@@ -1 +1 @@', '-a', '+b') }),
  ).files
  expect([link?.hunks.length, other?.hunks.length]).toEqual([2, 1])
})
