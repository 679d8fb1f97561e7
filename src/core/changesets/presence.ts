// Whether a sandbox's files are there. Imports little on purpose: lists ask this of every open invocation.

import { realpathSync } from 'node:fs'
import { lstatIfThere } from '../doors/system/files.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { RepoPaths } from '../store/paths.ts'
import type { Presence } from './changeset.ts'
import { type ChangesetKindName, isKnownKind } from './kinds.ts'
import { knownPath } from './location.ts'

/** For a sandbox whose files lie on this machine's disk. */
export const presenceOnDisk = ({ sandbox_path }: Pick<InvocationRecord, 'sandbox_path'>): Presence =>
  isRealDirectory(knownPath(sandbox_path)) ? 'there' : 'gone'

/** False for a symbolic link in the tree's place: what it leads to are not the sandbox's files. */
export function isRealDirectory(path: string): boolean {
  if (lstatIfThere(path)?.isDirectory() !== true) return false
  return realpathSync(path) === path
}

interface Reach {
  presence(record: InvocationRecord): Presence
  /** See `pathForPerson`. */
  path(record: InvocationRecord): string
}

const onDisk: Reach = { presence: presenceOnDisk, path: ({ sandbox_path }) => knownPath(sandbox_path) }

const BY_KIND: Readonly<Record<ChangesetKindName, Reach>> = { worktree: onDisk, copy: onDisk }

/** Where this program does not know the kind of sandbox, it cannot say that the files are gone. */
export function presenceOf(record: InvocationRecord): Presence {
  const { changeset } = record.environment
  return isKnownKind(changeset) ? BY_KIND[changeset].presence(record) : 'out of reach'
}

/** The path that a person's editor or shell can open; null where no path leads to the files. */
export function pathForPerson(record: InvocationRecord): string | null {
  const { changeset } = record.environment
  return isKnownKind(changeset) && presenceOf(record) === 'there' ? BY_KIND[changeset].path(record) : null
}

/** Whether something lies where this sandbox's files would be, even if there is no record of it. */
export const hasFiles = (paths: RepoPaths, id: string): boolean =>
  lstatIfThere(knownPath(paths.invocation(id).tree)) !== null
