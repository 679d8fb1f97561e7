// What `git worktree add` has written when it is killed: each of its writes in the order of git 2.39's builtin/worktree.c.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Write = (dir: string, tree: string) => void

const WRITES: readonly (readonly [what: string, write: Write])[] = [
  ['its directory', (dir) => mkdirSync(dir, { recursive: true })],
  ['its lock', (dir) => writeFileSync(join(dir, 'locked'), 'initializing')],
  ['an empty note of the tree', (dir) => writeFileSync(join(dir, 'gitdir'), '')],
  ['the note of the tree', (dir, tree) => writeFileSync(join(dir, 'gitdir'), `${tree}/.git\n`)],
  [
    'the tree with its link',
    (dir, tree) => {
      mkdirSync(tree, { recursive: true })
      writeFileSync(join(tree, '.git'), `gitdir: ${dir}\n`)
    },
  ],
  ['a HEAD that points at nothing', (dir) => writeFileSync(join(dir, 'HEAD'), `${'0'.repeat(40)}\n`)],
  ['an empty commondir', (dir) => writeFileSync(join(dir, 'commondir'), '')],
  ['commondir', (dir) => writeFileSync(join(dir, 'commondir'), '../..\n')],
  ['HEAD', (dir) => writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/main\n')],
  ['all but the end of its lock', () => {}],
]

export const HALF_ADDED = WRITES.map(([what]) => what)

/** Leaves what a git that was killed after that write has left. */
export function addHalf(commonDir: string, tree: string, last: string): string {
  const dir = join(commonDir, 'worktrees', 'tree-of-a-kill')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dirname(dir), { recursive: true })
  for (const [what, write] of WRITES) {
    write(dir, tree)
    if (what === last) break
  }
  return dir
}
