// Finds the repository that a directory is in. git is asked once per repository. After that we walk up the directories,
// as git does, until we find a common directory that we know already.

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { bindGit } from '../doors/git/git.ts'
import { NO_READS } from '../doors/git/git-reads.ts'
import type { Spawner } from '../doors/spawner/spawner.ts'
import { readTextIfRegular, readTextIfThere, realPathIfThere } from '../doors/system/files.ts'
import { requireTextPath } from '../doors/system/text-path.ts'
import { AgencyError } from '../model/errors.ts'

/** The real path of the git common directory. Throws E_NOT_A_REPOSITORY, E_PATH_NOT_TEXT. */
export async function discoverCommonDir(
  spawner: Spawner,
  cwd: string,
  isKnown: (commonDir: string) => boolean,
): Promise<string> {
  const near = findCommonDir(cwd)
  return near !== null && isKnown(near) ? near : await askForCommonDir(spawner, cwd)
}

/**
 * The common directory of the nearest `.git` at or above `cwd`; null if there is none, or it has an unusual form. Throws
 * E_FILE_UNREADABLE where a file that git would read there is none.
 */
export function findCommonDir(cwd: string): string | null {
  try {
    for (let dir = realpathSync(cwd); ; dir = dirname(dir)) {
      const dotGit = join(dir, '.git')
      const there = lstatSync(dotGit, { throwIfNoEntry: false })
      if (there?.isDirectory()) return realpathSync(dotGit)
      if (there?.isFile()) return commonDirOf(dotGit)
      if (there !== undefined || dir === dirname(dir)) return null
    }
  } catch (error) {
    // git would wait for ever where such a file is a pipe.
    if (error instanceof AgencyError) throw error
    return null
  }
}

/** A linked worktree: `.git` names its own git directory, whose `commondir` names the shared one. */
function commonDirOf(dotGit: string): string | null {
  const gitDir = /^gitdir: ([\s\S]+?)\n?$/.exec(readTextIfRegular(dotGit) ?? '')?.[1]
  if (gitDir === undefined) return null
  const own = resolve(dirname(dotGit), gitDir)
  const common = readTextIfThere(join(own, 'commondir'))?.replace(/\n$/, '')
  const named = common === undefined ? null : realPathIfThere(resolve(own, common))
  if (named !== null && named !== own) return named
  // git always has it there. An agent may have written anything into its own `commondir`, and doctor mends that.
  return basename(dirname(own)) === 'worktrees' ? realPathIfThere(dirname(dirname(own))) : null
}

async function askForCommonDir(spawner: Spawner, cwd: string): Promise<string> {
  // A process that is to start in no directory fails as if its program were missing.
  if (!existsSync(cwd)) throw new AgencyError('E_NOT_A_REPOSITORY', `there is no directory ${cwd}`)
  const git = bindGit({ spawner, cwd, env: {}, reads: NO_READS })
  const asked = await git.run(['rev-parse', '--path-format=absolute', '--git-common-dir'], { answers: [128] })
  if (asked.exitCode === 0) {
    const found = asked.stdout.toString('utf8').replace(/\n$/, '')
    requireTextPath(found)
    return realpathSync(found)
  }
  const dubious = /dubious ownership/.test(asked.stderr)
  throw new AgencyError(
    'E_NOT_A_REPOSITORY',
    dubious
      ? `git does not trust ${cwd}: it belongs to somebody else`
      : `${cwd} is not inside a git repository`,
    {
      details: { stderr: asked.stderr.trim() },
      ...(dubious ? { hint: 'git config --global --add safe.directory DIR' } : {}),
    },
  )
}
