// Looks for trees that are closed by their records and still there, because a discard, a removal or an undo was killed
// and no command on them came after it.

import type { LeftOver } from '../../changesets/changeset.ts'
import type { Repository } from '../../store/repository.ts'
import { type LeftTree, listLeftTrees } from '../sandboxes/left-trees.ts'
import { recoverInterrupted } from '../sandboxes/recover-closing.ts'
import { type Check, fixable } from './check.ts'
import { isLockHeld } from './lock-held.ts'

/** Nothing while another command holds the lock, because it may be moving one. */
export async function lookAtLeftTrees(repository: Repository): Promise<readonly Check[]> {
  return isLockHeld(repository) ? [] : listLeftTrees(repository).map((one) => lookAtLeftTree(repository, one))
}

function lookAtLeftTree(repository: Repository, one: LeftTree): Check {
  const { subject, path } = one
  return fixable({ subject, ...describe(one) }, async () => {
    await repository.locked(async () => {
      await recoverInterrupted(repository)
      await listLeftTrees(repository)
        .find((now) => now.path === path)
        ?.settle()
    })
    return one.undone ? `brought back ${path}` : `cleared what was left of ${path}`
  })
}

const describe = ({ path, left, undone }: LeftTree): { message: string; remedy: string } =>
  undone
    ? { message: `it was brought back, but its record is closed: ${path}`, remedy: 'open its record again' }
    : { message: `${LEFT[left]}: ${path}`, remedy: REMEDIES[left] }

const LEFT: Readonly<Record<LeftOver, string>> = {
  'half restored': 'an undo that was killed had begun to bring it back',
  whole: 'it is closed, and its files are still there',
  'known to git': 'it is closed and gone, and git still knows it',
}

const REMEDIES: Readonly<Record<LeftOver, string>> = {
  'half restored': 'take that back, so that undo can begin anew',
  whole: 'finish closing it; undo brings it back',
  'known to git': 'have git forget it',
}
