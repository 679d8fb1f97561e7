// A repository of a sandbox's own, beside its tree: it reads the person's objects and writes its own. Everything in it
// is made here, by hand, and is the agent's from then on: no git on the person's side ever reads its configuration,
// hooks or alternates.

import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RepositoryGit } from '../../doors/effects.ts'
import { formatGitConfig } from '../../doors/git/clean-room.ts'
import { DIR_MODE, FILE_MODE, lstatIfThere } from '../../doors/system/files.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { Repository } from '../../store/repository.ts'

export interface OwnRepository {
  /** The git directory. */
  readonly dir: string
  /**
   * Its objects, by links, and nothing else of what git would look for beside them: other stores that the agent may have
   * named are not followed.
   */
  readonly objects: string
  /** The refs that it was given: each that differs is the agent's own. */
  readonly given: string
  /** Where it waits while the tree is in the trash. */
  readonly packed: string
}

export const ownRepository = (treePath: string): OwnRepository => {
  const sandbox = dirname(treePath)
  return {
    dir: join(sandbox, 'repo.git'),
    objects: join(sandbox, 'objects'),
    given: join(sandbox, 'given-refs'),
    packed: join(treePath, '.agency', 'repo.git'),
  }
}

/** Names beside the tree. */
export const OWN_PARTS: readonly string[] = ['repo.git', 'objects', 'given-refs']

/** With HEAD at `head`, no branch of the sandbox's own yet, no index, and the person's branches and tags. */
export async function makeOwnRepository(
  { git, record }: Pick<Repository, 'git' | 'record'>,
  treePath: string,
  head: ObjectId,
): Promise<string> {
  const own = ownRepository(treePath)
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks']) {
    mkdirSync(join(own.dir, name), { recursive: true, mode: DIR_MODE })
  }
  const write = (name: string, text: string): void =>
    writeFileSync(join(own.dir, name), text, { mode: FILE_MODE })
  write('HEAD', `${head}\n`)
  write('config', formatGitConfig(record.trusted_config.filter(([key]) => !NOT_GIVEN.test(key))))
  write('objects/info/alternates', `${join(git.commonDir, 'objects')}\n`)
  copyRules(git.commonDir, own.dir)
  const refs = await listGiven(git)
  write('packed-refs', refs)
  writeFileSync(own.given, refs, { mode: FILE_MODE })
  linkObjects(own)
  mkdirSync(treePath, { recursive: true, mode: DIR_MODE })
  writeFileSync(join(treePath, '.git'), 'gitdir: ../repo.git\n')
  return own.dir
}

/** Remotes are not the agent's to speak to; what tells of the person's own refs would be wrong here. */
const NOT_GIVEN = /^(remote\..*|branch\..*|credential\..*|extensions\.refstorage|core\.logallrefupdates)$/i

/** Other sandboxes' branches are none of this agent's concern. */
async function listGiven({ store }: RepositoryGit): Promise<string> {
  const format = '--format=%(objectname) %(refname)'
  const listed = await store.text(['for-each-ref', format, 'refs/heads', 'refs/tags'])
  const lines = listed
    .split('\n')
    .filter((line) => line !== '' && !line.includes(' refs/heads/agency/sandbox-'))
  return ['# pack-refs with: sorted ', ...lines, ''].join('\n')
}

/** What the person's repository ignores for itself. */
function copyRules(commonDir: string, dir: string): void {
  for (const name of ['exclude', 'attributes']) {
    const from = join(commonDir, 'info', name)
    if (lstatIfThere(from)?.isFile() === true) copyFileSync(from, join(dir, 'info', name))
  }
}

function linkObjects({ dir, objects }: OwnRepository): void {
  rmSync(objects, { recursive: true, force: true })
  mkdirSync(objects, { mode: DIR_MODE })
  const names = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
  for (const name of ['pack', ...names]) symlinkSync(join(dir, 'objects', name), join(objects, name))
}
