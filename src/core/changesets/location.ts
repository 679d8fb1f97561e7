// Where a sandbox's own files are: known in this room alone.

import type { TreeLocation } from '../doors/effects.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { type SandboxPath, showPath } from '../model/sandbox-path.ts'

export const openPath = (path: SandboxPath): string => showPath(path)

export const openLocation = (record: Pick<InvocationRecord, 'sandbox_path' | 'git_dir'>): TreeLocation => ({
  tree_path: openPath(record.sandbox_path),
  git_dir: openPath(record.git_dir),
})
