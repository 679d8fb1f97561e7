// Sandboxes that are linked worktrees of the person's repository: an agent shares its objects, branches and settings.

import { addTree, adminDirsOf, removeAddedTree } from '../../doors/git/linked-worktrees.ts'
import type { ChangesetKind } from '../changeset.ts'
import { linkedAdministration } from './linked-administration.ts'
import { makeSandbox } from './make/make-sandbox.ts'
import { openTreeChangeset } from './tree-changeset.ts'

export const worktreeKind: ChangesetKind = {
  makings: { beside: [], gitDirs: ({ git }, treePath) => adminDirsOf(git.commonDir, treePath) },
  open: (repository, record) =>
    openTreeChangeset({ repository, record, administration: linkedAdministration(repository) }),
  make: (repository, wanted, step) => {
    const { git } = repository
    const tree = (tree_path: string) => ({ tree_path, branch: wanted.branch, start: wanted.start })
    const registration = {
      register: (path: string) => addTree(git, tree(path)),
      unregister: (path: string) => removeAddedTree(git, tree(path)),
    }
    return makeSandbox(repository, { wanted, registration }, step)
  },
}
