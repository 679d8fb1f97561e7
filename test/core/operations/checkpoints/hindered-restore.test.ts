// What makes a sandbox hard to write to. Flags of the index are coped with; where the system itself says no, the restore
// is refused with the file's name, the sandbox is as it was, and no journal is left.

import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import { sample } from '../../../support/run/sampled.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const restore = ({ repository, record }: Scene) =>
  restoreCheckpoint(repository, record, { checkpoint: 1, settings: SETTINGS })

const CONTENTS = 'cat a w ro/f; find . -path ./.git -prune -o -path ./.agency -prune -o -type f -print | sort'
const AT_CHECKPOINT = 'a\nw\nf\n./a\n./ro/deep/g\n./ro/f\n./w\n'

/** A sandbox with one checkpoint, from which everything has changed since. */
async function makeChanged(before = ':'): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', 'ro/f': 'f\n', 'ro/deep/g': 'g\n' })
  shell(scene.tree, `echo w > w; ${before}`)
  await takeNow(scene.repository, scene.record)
  shell(scene.tree, 'echo later > w; echo later > ro/f; echo new > ro/n; rm ro/deep/g; echo later > a')
  return scene
}

sample(test).each([
  { flag: 'assumed unchanged', before: ':', later: 'git update-index --assume-unchanged a ro/f' },
  { flag: 'left out although it is there', before: ':', later: 'git update-index --skip-worktree a ro/f' },
  {
    flag: 'both, or one of them',
    before: ':',
    later: 'git update-index --assume-unchanged a; git update-index --skip-worktree a ro/f',
  },
  { flag: 'assumed unchanged all the time', before: 'git update-index --assume-unchanged a', later: ':' },
])(
  'an entry of the index that is $flag is restored and stays so; undo brings the later file back',
  async ({ before, later }) => {
    const scene = await makeChanged(before)
    shell(scene.tree, later)
    const odd = () => shell(scene.tree, "git ls-files -v | grep -v '^H'")
    const [contents, flags] = [shell(scene.tree, CONTENTS), odd()]
    await restore(scene)
    expect(shell(scene.tree, CONTENTS)).toBe(AT_CHECKPOINT)
    expect(odd()).toBe(flags)
    await undoLast(scene.repository)
    expect(shell(scene.tree, CONTENTS)).toBe(contents)
    expect(odd()).toBe(flags)
  },
)

/** Whether this machine lets us hinder root itself. */
function canHinder(): boolean {
  const script = 'f=$(mktemp) && chattr +i $f && chattr -i $f && rm $f && unshare -m true'
  try {
    execFileSync('sh', ['-c', script], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

const READ_ONLY = 'mount --bind ro ro; mount -o remount,ro,bind ro'

describe.skipIf(!canHinder())('beyond our power', () => {
  sample(test).each([
    { what: 'an immutable file that changes', hinder: 'chattr +i a', free: 'chattr -i a', named: 'a' },
    { what: 'an immutable file that goes', hinder: 'chattr +i ro/n', free: 'chattr -i ro/n', named: 'ro/n' },
    { what: 'a directory whose files are fixed', hinder: 'chattr +i ro', free: 'chattr -i ro', named: 'ro/' },
    { what: 'a file that can only grow', hinder: 'chattr +a w', free: 'chattr -a w', named: 'w' },
    { what: 'a mount on a file', hinder: 'mount --bind a a', free: 'umount a', named: 'a' },
    { what: 'a file system mounted read-only', hinder: READ_ONLY, free: 'umount ro', named: 'ro/' },
  ])('$what has a restore refused by name; then it works', async ({ hinder, free, named }) => {
    const scene = await makeChanged()
    const { tree, repository } = scene
    onTestFinished(() => void execFileSync('sh', ['-c', `cd '${tree}' && { ${free}; } 2>/dev/null || :`]))
    const contents = shell(tree, CONTENTS)
    shell(tree, hinder)
    const refused = await refusal(restore(scene))
    expect(refused.code).toBe('E_TREE_UNWRITABLE')
    expect(refused.message).toContain(named)
    expect(shell(tree, CONTENTS)).toBe(contents)
    expect(isInterrupted(repository.paths)).toBe(false)
    shell(tree, free)
    await restore(scene)
    expect(shell(tree, CONTENTS)).toBe(AT_CHECKPOINT)
  })
})
