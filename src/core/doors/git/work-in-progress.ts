// What the person has begun in a work tree and not ended yet, from the notes that git keeps of it.

import { join } from 'node:path'
import { pathExists } from '../system/files.ts'

const IN_PROGRESS: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply/applying': 'applying of patches',
  'rebase-apply': 'a rebase',
  sequencer: 'a sequence of picks',
  BISECT_LOG: 'a bisect',
}

/** In words; null for nothing. */
export const findWorkInProgress = (gitDir: string): string | null =>
  Object.entries(IN_PROGRESS).find(([note]) => pathExists(join(gitDir, note)))?.[1] ?? null
