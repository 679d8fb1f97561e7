// Where the parts of a sandbox's own repository lie, derived from where its tree lies: nobody has to believe a record.

import { dirname, join } from 'node:path'

export interface OwnRepository {
  /** The git directory. */
  readonly dir: string
  /**
   * A directory with links to its objects and nothing else. git looks for more beside a store's objects, and an agent
   * could name other stores there: reading through this directory, git does not follow them.
   */
  readonly objects: string
  /** The refs that the repository began with. A ref that differs from these is the agent's own. */
  readonly given: string
  /** Where the repository is kept while the tree is in the trash. */
  readonly packed: string
  /** Where the refs that it began with are kept meanwhile. */
  readonly packedGiven: string
}

export const ownRepository = (treePath: string): OwnRepository => {
  const sandbox = dirname(treePath)
  return {
    dir: join(sandbox, 'repo.git'),
    objects: join(sandbox, 'objects'),
    given: join(sandbox, 'given-refs'),
    packed: join(treePath, '.agency', 'repo.git'),
    packedGiven: join(treePath, '.agency', 'given-refs'),
  }
}
