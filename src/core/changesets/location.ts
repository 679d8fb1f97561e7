// The way from a sandbox's location to a path that can be opened: used in this room alone.

import type { TreeLocation } from '../doors/effects.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { type SandboxPath, showPath } from '../model/sandbox-path.ts'

export const knownPath = (path: SandboxPath): string => showPath(path)

export const knownLocation = (record: Pick<InvocationRecord, 'sandbox_path' | 'git_dir'>): TreeLocation => ({
  tree_path: knownPath(record.sandbox_path),
  git_dir: knownPath(record.git_dir),
})
