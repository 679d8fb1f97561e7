// Writes commits byte for byte, many by one git: a landing of twenty commits writes forty, and a process for each would
// cost more than the merges.

import { join } from 'node:path'
import type { Conversation } from '../../doors/effects.ts'
import { writeDraft } from '../../doors/system/files.ts'
import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import { type CommitObject, formatCommit } from '../../model/commit-object.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { quotePath } from '../../model/quote-path.ts'
import type { Repository } from '../../store/repository.ts'

export interface CommitWriter {
  /** `committer` is `Name <mail> seconds zone`, raw. Only one at a time. */
  write(commit: CommitObject, committer: string): Promise<ObjectId>
}

const HASH_COMMITS = ['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin-paths'] as const

export const withCommitWriter = <T>(
  { git, paths }: Repository,
  work: (writer: CommitWriter) => Promise<T>,
): Promise<T> =>
  inScratchDirectory(paths.dir, 'commits', async (dir) => {
    const draft = join(dir, 'commit')
    let asked: Conversation | null = null
    const write = async (commit: CommitObject, committer: string): Promise<ObjectId> => {
      asked ??= await git.store.converse(HASH_COMMITS)
      writeDraft(draft, formatCommit(commit, committer))
      return parseObjectId(await asked.ask(quotePath(draft)))
    }
    try {
      return await work({ write })
    } finally {
      await (asked as Conversation | null)?.end()
    }
  })
