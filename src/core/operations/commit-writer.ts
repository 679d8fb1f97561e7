// Writes commits byte for byte, many by one git: a landing of twenty commits writes forty, and starting a process for each
// would cost more than the merges.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../effects/effects.ts'
import { makeScratchDirectory } from '../effects/scratch-directory.ts'
import { type CommitObject, formatCommit } from '../model/commit-object.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import type { Repository } from '../store/repository.ts'

export interface CommitWriter {
  /** `committer` is `Name <mail> seconds zone`, raw. One after another. */
  write(commit: CommitObject, committer: string): Promise<ObjectId>
}

export async function withCommitWriter<T>(
  { git, paths }: Repository,
  work: (writer: CommitWriter) => Promise<T>,
): Promise<T> {
  const scratch = makeScratchDirectory(paths.dir, 'commits')
  const draft = join(scratch, 'commit')
  let asked: Conversation | null = null
  const write = async (commit: CommitObject, committer: string): Promise<ObjectId> => {
    asked ??= await git.store.converse(['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin-paths'])
    writeFileSync(draft, formatCommit(commit, committer))
    return parseObjectId(await asked.ask(quotePath(draft)))
  }
  try {
    return await work({ write })
  } finally {
    await (asked as Conversation | null)?.end()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** As git reads it on a line of its own. */
const quotePath = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
