// The repository of a sandbox that has its own. It lies beside the tree, reads the person's objects and writes its own.
// We make everything in it by hand and then leave it to the agent: no git on the person's side ever reads its
// configuration, hooks or alternates.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RepositoryGit } from '../../doors/effects.ts'
import { formatGitConfig } from '../../doors/git/clean-room.ts'
import { DIR_MODE, FILE_MODE, readIfRegular } from '../../doors/system/files.ts'
import { type FileBounds, NOTE_BOUNDS } from '../../doors/system/regular-file.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { Repository } from '../../store/repository.ts'
import { clearPlace } from './clear-place.ts'
import { type OwnRepository, ownRepository } from './own-place.ts'

/** What lies beside the tree. */
export const OWN_PARTS: readonly string[] = ['repo.git', 'objects', 'given-refs']

/**
 * HEAD is at `head`. It has the person's branches and tags, no branch of the sandbox's own yet, and no index. What an
 * agent has left in its place is not written through or into. Throws E_PATH_NOT_OURS.
 */
export async function makeOwnRepository(
  repository: Repository,
  treePath: string,
  head: ObjectId,
): Promise<string> {
  const { git, record } = repository
  const own = ownRepository(treePath)
  for (const path of [own.dir, own.given]) clearPlace(repository, path)
  makeDirectories(own.dir)
  writeNew(join(own.dir, 'HEAD'), `${head}\n`)
  const settings = record.trusted_config.filter(([key]) => !NOT_GIVEN.test(key))
  writeNew(join(own.dir, 'config'), formatGitConfig(settings))
  writeNew(join(own.dir, 'objects/info/alternates'), `${join(git.commonDir, 'objects')}\n`)
  copyRules(git.commonDir, own.dir)
  const refs = await listGiven(git)
  for (const path of [join(own.dir, 'packed-refs'), own.given]) writeNew(path, refs)
  linkObjects(own)
  mkdirSync(treePath, { recursive: true, mode: DIR_MODE })
  writeFileSync(join(treePath, '.git'), 'gitdir: ../repo.git\n', { flag: 'wx' })
  return own.dir
}

/** The outermost is made anew: nothing can lie in it yet. */
function makeDirectories(dir: string): void {
  mkdirSync(dirname(dir), { recursive: true, mode: DIR_MODE })
  mkdirSync(dir, { mode: DIR_MODE })
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks']) {
    mkdirSync(join(dir, name), { recursive: true, mode: DIR_MODE })
  }
}

/** Never writes over a file or through a link. */
const writeNew = (path: string, text: string | Buffer): void =>
  writeFileSync(path, text, { mode: FILE_MODE, flag: 'wx' })

/**
 * Settings that are not copied: an agent has no business with remotes, and those about the person's own refs would be
 * wrong here.
 */
const NOT_GIVEN = /^(remote\..*|branch\..*|credential\..*|extensions\.refstorage|core\.logallrefupdates)$/i

/** The refs to begin with. Branches of other sandboxes are left out. */
async function listGiven({ store }: RepositoryGit): Promise<string> {
  const format = '--format=%(objectname) %(refname)'
  const listed = await store.text(['for-each-ref', format, 'refs/heads', 'refs/tags'])
  const lines = listed
    .split('\n')
    .filter((line) => line !== '' && !line.includes(' refs/heads/agency/sandbox-'))
  return ['# pack-refs with: sorted ', ...lines, ''].join('\n')
}

/**
 * What the person's repository keeps for itself and git needs here too: ignore rules, attributes and, in a shallow
 * clone, the commits whose parents are missing.
 */
const COPIED = ['info/exclude', 'info/attributes', 'shallow'] as const
const RULES_BOUNDS: FileBounds = { ...NOTE_BOUNDS, links: 'refused' }

function copyRules(commonDir: string, dir: string): void {
  for (const name of COPIED) {
    const text = readIfRegular(join(commonDir, name), RULES_BOUNDS)
    if (text !== null) writeNew(join(dir, name), text)
  }
}

/** Makes `objects` anew, with links to what lies in the repository at `dir`. */
export function linkObjects({ dir, objects }: Pick<OwnRepository, 'dir' | 'objects'>): void {
  rmSync(objects, { recursive: true, force: true })
  mkdirSync(objects, { mode: DIR_MODE })
  const names = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
  for (const name of ['pack', ...names]) symlinkSync(join(dir, 'objects', name), join(objects, name))
}
