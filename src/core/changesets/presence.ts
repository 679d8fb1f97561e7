// Whether a sandbox's files are there. Of little weight on purpose: lists ask it of every open invocation.

import { realpathSync } from 'node:fs'
import { lstatIfThere } from '../doors/system/files.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { RepoPaths } from '../store/paths.ts'
import type { Presence } from './changeset.ts'
import { openPath } from './location.ts'

/** Of a sandbox whose files lie on this machine's disk. */
export const presenceOnDisk = ({ sandbox_path }: Pick<InvocationRecord, 'sandbox_path'>): Presence =>
  isRealDirectory(openPath(sandbox_path)) ? 'there' : 'gone'

/** A symbolic link in the tree's place leads to files that are not the sandbox's. */
export function isRealDirectory(path: string): boolean {
  if (lstatIfThere(path)?.isDirectory() !== true) return false
  return realpathSync(path) === path
}

type ReadPresence = (record: InvocationRecord) => Presence

const BY_KIND: Readonly<Record<string, ReadPresence>> = { worktree: presenceOnDisk, copy: presenceOnDisk }

/** Of a kind that this program does not know nobody can say that it is gone. */
export const presenceOf = (record: InvocationRecord): Presence =>
  BY_KIND[record.environment.changeset]?.(record) ?? 'out of reach'

/** Where a person's editor or shell finds the files; null where no way leads there. */
export const pathForPerson = (record: InvocationRecord): string | null =>
  presenceOf(record) === 'there' ? openPath(record.sandbox_path) : null

/** Something lies where the files of a sandbox would be, of which there may be no record. */
export const hasFiles = (paths: RepoPaths, id: string): boolean =>
  lstatIfThere(openPath(paths.invocation(id).tree)) !== null
