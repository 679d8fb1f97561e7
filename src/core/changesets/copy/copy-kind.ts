// Sandboxes that are plain checkouts with a repository of their own: what an agent does to branches, settings and
// objects there is its own affair, until its work is brought home.

import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../../doors/system/files.ts'
import type { Repository } from '../../store/repository.ts'
import type { ChangesetKind, NewChangeset } from '../changeset.ts'
import { makeSandbox, type Registration } from '../worktree/make/make-sandbox.ts'
import { openTreeChangeset } from '../worktree/tree-changeset.ts'
import { ownAdministration } from './own-administration.ts'
import { ownRepository } from './own-place.ts'
import { writeOwnRef } from './own-refs.ts'
import { makeOwnRepository, OWN_PARTS } from './own-repository.ts'

export const copyKind: ChangesetKind = {
  makings: { beside: OWN_PARTS, gitDirs: (_, treePath) => [ownRepository(treePath).dir] },
  open: (repository, record) =>
    openTreeChangeset({ repository, record, administration: ownAdministration(repository, record) }),
  make: (repository, wanted, step) =>
    makeSandbox(repository, { wanted, registration: registerOwn(repository, wanted) }, step),
}

function registerOwn(repository: Repository, { branch, start }: NewChangeset): Registration {
  const { store } = repository.git
  const ref = `refs/heads/${branch}`
  return {
    register: async (treePath) => {
      await store.run(['update-ref', '--no-deref', ref, start, ''])
      const dir = await makeOwnRepository(repository, treePath, start)
      await writeOwnRef(dir, ref, start)
      await writeAtomic(join(dir, 'HEAD'), `ref: ${ref}\n`)
      return dir
    },
    unregister: async (treePath) => {
      const parts = OWN_PARTS.map((name) => join(dirname(treePath), name))
      for (const path of [...parts, treePath]) rmSync(path, { recursive: true, force: true })
      await store.run(['update-ref', '--no-deref', '-d', ref, start], { answers: [1, 128] })
    },
  }
}
