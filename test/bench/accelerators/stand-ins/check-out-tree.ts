// Lets a single git write all of the files.

import type { RepositoryGit, TreeLocation } from '../../../../src/core/doors/effects.ts'

export const halveCommit = async (): Promise<null> => null

export async function checkOutTree(git: RepositoryGit, where: TreeLocation): Promise<void> {
  await git.tree(where).run(['-c', 'checkout.workers=2', 'reset', '--quiet', '--hard'])
}
