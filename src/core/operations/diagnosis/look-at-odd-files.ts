// What lies in the place of a file and is none: a pipe, a device, a link, a directory, a terabyte. Whoever reads there
// says that it is broken, or does without; here all of it is named.

import { join } from 'node:path'
import { openChangeset } from '../../changesets/open-changeset.ts'
import { findOddFiles, hintToMoveAway, NO_READS, ODD_DIR, type OddFile } from '../../doors/git/git-reads.ts'
import { listNames } from '../../doors/system/files.ts'
import { type FileBounds, LOG_BOUNDS, oddityAt, RECORD_BOUNDS } from '../../doors/system/regular-file.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { MOST_READ } from '../../store/json-lines.ts'
import type { RepoPaths } from '../../store/paths.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees } from '../../store/worktrees.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { type Check, fine, note, problem } from './check.ts'
import { listDamagedNotes } from './look-at-linked.ts'

export async function lookAtOddFiles(repository: Repository): Promise<readonly Check[]> {
  const { paths, git } = repository
  const odd = [
    ...oddOf(repositoryFiles(paths)),
    ...listNames(paths.invocationsDir).flatMap((id) => oddOf(invocationFiles(paths, id))),
    ...findOddFiles({ ...NO_READS, commonDir: git.commonDir, everyTree: true }),
    ...oddInTrees(repository),
  ]
  const found = new Map(odd.map((one) => [one.path, one.why]))
  for (const path of listDamagedNotes(repository)) found.delete(path)
  const checks = [
    ...[...found].map(([path, why]) => problem('files', `${path}: ${why}`, hintToMoveAway(path))),
    ...lookAtMovedAside(git.commonDir),
  ]
  return checks.length > 0 ? checks : [fine('files', 'nothing else lies in the place of one')]
}

/** What was no branch and no note of git's, and stood in the way of all others. */
const lookAtMovedAside = (commonDir: string): Check[] =>
  listNames(join(commonDir, ODD_DIR)).map((name) => {
    const path = join(commonDir, ODD_DIR, name)
    return note(
      'files',
      `${path}: it lay at ${name.replaceAll('+', '/')}, and was moved aside`,
      `rm -r '${path}'`,
    )
  })

type Bounded = readonly [path: string, bounds: FileBounds]

const oddOf = (files: readonly Bounded[]): OddFile[] =>
  files.flatMap(([path, bounds]) => {
    const why = oddityAt(path, bounds)
    return why === null ? [] : [{ path, why }]
  })

/** A log of more is read from its end only. */
const LONG_LOG: FileBounds = { ...LOG_BOUNDS, most: MOST_READ }

const repositoryFiles = ({ lock, operations, closed, ui }: RepoPaths): Bounded[] => [
  ...[lock, closed, ui].map((path) => [path, RECORD_BOUNDS] as const),
  [operations, LONG_LOG],
]

/** Without its record: what is wrong with that is said where the invocation is looked at. */
function invocationFiles(paths: RepoPaths, id: string): Bounded[] {
  const { events, prompt, status, checkpoints, raw, stderr, stream, cast, hostLog } = paths.invocation(id)
  return [
    ...[prompt, status, checkpoints].map((path) => [path, RECORD_BOUNDS] as const),
    [events, LONG_LOG],
    ...[raw, stderr, stream, cast, hostLog].map((path) => [path, LOG_BOUNDS] as const),
  ]
}

function oddInTrees(repository: Repository): OddFile[] {
  const { paths } = repository
  const integration = listWorktrees(paths)
    .filter(({ state }) => state === 'present')
    .flatMap((tree) => findOddFiles({ ...NO_READS, treePath: tree.tree_path, gitDir: tree.git_dir }))
  const sandboxes = listInvocations(paths)
    .invocations.filter((record) => !isClosed(record))
    .flatMap((record) => oddInSandbox(repository, record))
  return [...integration, ...sandboxes]
}

/** One that cannot be opened is named where invocations are looked at. */
function oddInSandbox(repository: Repository, record: InvocationRecord): readonly OddFile[] {
  try {
    return openChangeset(repository, record).oddFiles()
  } catch (error) {
    if (error instanceof AgencyError) return []
    throw error
  }
}
