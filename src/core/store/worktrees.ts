// The ledger of integration worktrees: records in, records out.

import { listNames } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'
import { resolveOne } from '../model/resolve.ts'
import {
  checkWorktreeName,
  integrationBranch,
  type WorktreeRecord,
  worktreeRecordSchema,
} from '../model/worktree.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, requireDerived, writeRecord } from './record-file.ts'

/** All worktrees of a repository, archived ones too, oldest first. Unreadable ones are left out; doctor lists them. */
export function listWorktrees(paths: RepoPaths): WorktreeRecord[] {
  return listWorktreeIds(paths).flatMap((id) => readWorktreeIfWhole(paths, id) ?? [])
}

/** Oldest first. Their records need not be readable. */
export const listWorktreeIds = ({ worktreesDir }: RepoPaths): string[] => listNames(worktreesDir)

/** Finds one by name (not for archived ones), id or unique prefix. Throws E_WORKTREE_NOT_FOUND, E_AMBIGUOUS. */
export function findWorktree(paths: RepoPaths, typed: string): WorktreeRecord {
  const candidates = listWorktrees(paths).map((record) => ({
    id: record.worktree_id,
    name: record.state === 'present' ? record.name : null,
    exactOnly: false,
    record,
  }))
  return resolveOne(typed, candidates, 'E_WORKTREE_NOT_FOUND').record
}

/** Throws E_WORKTREE_NOT_FOUND where there is none, E_RECORD_UNREADABLE where it cannot be read. */
export function readWorktree(paths: RepoPaths, id: string): WorktreeRecord {
  const record = readCheckedWorktree(paths, id)
  if (record === null) throw new AgencyError('E_WORKTREE_NOT_FOUND', `there is no worktree ${id}`)
  return record
}

export async function writeWorktree(paths: RepoPaths, record: WorktreeRecord): Promise<void> {
  await writeRecord(paths.worktree(record.worktree_id).meta, worktreeRecordSchema, record)
}

/** Read-modify-write. The caller holds the repository's lock. */
export async function updateWorktree(
  paths: RepoPaths,
  id: string,
  change: Partial<WorktreeRecord>,
): Promise<WorktreeRecord> {
  const record: WorktreeRecord = { ...readWorktree(paths, id), ...change }
  await writeWorktree(paths, record)
  return record
}

/** Agents can write records, so fields that can be derived from id and name are checked. Throws E_RECORD_UNREADABLE. */
function readCheckedWorktree(paths: RepoPaths, id: string): WorktreeRecord | null {
  const { meta, tree } = paths.worktree(id)
  const record = readRecord(meta, worktreeRecordSchema)
  if (record === null) return null
  const { worktree_id, name, tree_path, branch } = record
  checkWorktreeName(name)
  requireDerived(meta, [
    { field: 'worktree_id', found: worktree_id, derived: id },
    { field: 'tree_path', found: tree_path, derived: tree },
    { field: 'branch', found: branch, derived: integrationBranch(name, worktree_id) },
  ])
  return record
}

/** null if there is none, or if it cannot be read. */
export function readWorktreeIfWhole(paths: RepoPaths, id: string): WorktreeRecord | null {
  try {
    return readCheckedWorktree(paths, id)
  } catch (error) {
    if (error instanceof AgencyError) return null
    throw error
  }
}
