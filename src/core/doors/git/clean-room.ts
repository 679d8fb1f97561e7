// Agents share the repository's `.git` with the person and may plant fsmonitor, filters, hooks, aliases or includes in
// it; git run there would execute them as the person. So our git uses a common directory of our own, the clean room:
// links to the repository's objects, refs and logs, and a configuration with only those settings that the person had
// when the repository was first used. Nothing is read from the shared configuration, so a change to it never counts.

import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { isWithin } from '../../model/path-safety.ts'
import { quotePath } from '../../model/quote-path.ts'
import type { RepoRecord } from '../../model/repo.ts'
import type { RepositoryGit, TreeLocation } from '../effects.ts'
import type { Spawner } from '../spawner/spawner.ts'
import { readTextIfRegular, writeAtomic } from '../system/files.ts'
import { bindGit } from './git.ts'
import { NO_READS } from './git-reads.ts'

/** What is mere data in a git common directory. `config`, `hooks` and `config.worktree` are not. */
const SHARED = [
  'objects',
  'refs',
  'packed-refs',
  'logs',
  'worktrees',
  'info',
  'shallow',
  'reftable',
  'lfs',
  'modules',
]

/** Makes the clean room of a repository, or what is missing of it, and returns git bound to it. */
export async function openCleanRoom(
  roomDir: string,
  repo: RepoRecord,
  spawner: Spawner,
): Promise<RepositoryGit> {
  mkdirSync(roomDir, { recursive: true, mode: 0o700 })
  for (const name of SHARED) linkTo(join(roomDir, name), join(repo.git_common_dir, name))
  await writeWhenOther(join(roomDir, 'HEAD'), 'ref: refs/heads/agency-clean-room\n')
  await writeWhenOther(join(roomDir, 'config'), formatGitConfig(repo.trusted_config))
  return bindRoom({ spawner, roomDir, commonDir: repo.git_common_dir, draft: null, borrowed: [] })
}

interface GitRoom {
  readonly spawner: Spawner
  readonly roomDir: string
  readonly commonDir: string
  /** Where objects are written, if not into the repository. */
  readonly draft: string | null
  /** Other places where objects are read. */
  readonly borrowed: readonly string[]
}

function objectPlaces({ commonDir, draft, borrowed }: GitRoom): Record<string, string> {
  const read = draft === null ? borrowed : [join(commonDir, 'objects'), ...borrowed]
  return {
    ...(draft === null ? {} : { GIT_OBJECT_DIRECTORY: draft }),
    ...(read.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: read.map(quotePath).join(':') }),
  }
}

function bindRoom(room: GitRoom): RepositoryGit {
  const { spawner, roomDir, commonDir, borrowed } = room
  const objects = objectPlaces(room)
  return {
    commonDir,
    // GIT_COMMON_DIR as well as GIT_DIR: otherwise a file `commondir` in the room would make git read another
    // configuration.
    store: bindGit({
      spawner,
      cwd: roomDir,
      env: { GIT_DIR: roomDir, GIT_COMMON_DIR: roomDir, ...objects },
      reads: { ...NO_READS, commonDir },
    }),
    tree: ({ tree_path, git_dir }: TreeLocation) => {
      if (dirname(git_dir) !== join(commonDir, 'worktrees') && !isWithin(git_dir, dirname(roomDir))) {
        throw new AgencyError('E_PATH_NOT_OURS', `${git_dir} is no worktree of this repository`)
      }
      const env = { GIT_COMMON_DIR: roomDir, GIT_DIR: git_dir, GIT_WORK_TREE: tree_path, ...objects }
      const reads = { commonDir, gitDir: git_dir, treePath: tree_path, everyTree: false }
      return bindGit({ spawner, cwd: tree_path, env, reads })
    },
    drafting: (objectDir) => bindRoom({ ...room, draft: objectDir }),
    isDraft: room.draft !== null,
    borrowing: (objectDir) => bindRoom({ ...room, borrowed: [...borrowed, objectDir] }),
    real: bindGit({
      spawner,
      cwd: commonDir,
      env: { GIT_DIR: commonDir },
      reads: { ...NO_READS, commonDir, everyTree: true },
    }),
  }
}

function linkTo(link: string, target: string): void {
  const there = lstatSync(link, { throwIfNoEntry: false })
  if (there === undefined) symlinkSync(target, link)
  else if (!there.isSymbolicLink() || readlinkSync(link) !== target) {
    throw new AgencyError('E_PATH_NOT_OURS', `the clean room holds something else at ${link}`)
  }
}

async function writeWhenOther(path: string, text: string): Promise<void> {
  if (readTextIfRegular(path) !== text) await writeAtomic(path, text)
}

/** Settings that are about the main work tree alone, or that include files which may change later. */
const LEFT_OUT =
  /^(core\.(worktree|bare|hookspath|fsmonitor)|include\..*|includeif\..*|extensions\.worktreeconfig)$/i

/** git's own file format. Keys are `section.name` or `section.sub.section.name`. */
export function formatGitConfig(pairs: RepoRecord['trusted_config']): string {
  const lines = pairs
    .filter(([key]) => !LEFT_OUT.test(key))
    .map(([key, value]) => {
      const first = key.indexOf('.')
      const last = key.lastIndexOf('.')
      const section = key.slice(0, first)
      const sub = first === last ? '' : ` "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"`
      const name = key.slice(last + 1)
      return `[${section}${sub}]\n\t${name}${value === null ? '' : ` = ${quoteValue(value)}`}\n`
    })
  return `[core]\n\tbare = false\n${lines.join('')}`
}

const quoteValue = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`
