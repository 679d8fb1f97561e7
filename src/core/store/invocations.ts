// The ledger of invocations. A record that cannot be read is broken, and is not repaired here. A record does not say
// whether its sandbox is there: that may lie where this machine cannot see it.

import { listNames } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'
import { type InvocationId, isInvocationId } from '../model/ids.ts'
import {
  type BrokenInvocation,
  type InvocationRecord,
  invocationRecordSchema,
  sandboxBranch,
} from '../model/invocation.ts'
import { showPath } from '../model/sandbox-path.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, requireDerived, writeRecord } from './record-file.ts'

/** Ids of everything that has a record or a sandbox, oldest first. */
export function listInvocationIds(paths: RepoPaths): InvocationId[] {
  const recorded = listNames(paths.invocationsDir)
  const known = new Set(recorded)
  const lost = listNames(paths.sandboxesDir).filter((name) => !known.has(name))
  const names = lost.length === 0 ? recorded : [...recorded, ...lost].sort()
  return names.filter(isInvocationId)
}

/** null where there is no record. */
export function inspectRecord(
  paths: RepoPaths,
  id: InvocationId,
): InvocationRecord | BrokenInvocation | null {
  try {
    return readCheckedInvocation(paths, id)
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return { invocation_id: id, broken: true, reason: error.message, record: null }
  }
}

/** A record may have any field, even one called `broken`; but it cannot pass itself off as broken. */
export const isBroken = (found: InvocationRecord | BrokenInvocation): found is BrokenInvocation =>
  'broken' in found && found.broken === true && 'reason' in found

/** Throws E_INVOCATION_NOT_FOUND where there is none. */
export function readInvocation(paths: RepoPaths, id: string): InvocationRecord {
  const record = readCheckedInvocation(paths, id)
  if (record === null) throw new AgencyError('E_INVOCATION_NOT_FOUND', `there is no invocation ${id}`)
  return record
}

/** Agents can write records, so fields that can be derived from the id are checked. Throws E_RECORD_UNREADABLE. */
function readCheckedInvocation(paths: RepoPaths, id: string): InvocationRecord | null {
  const { meta, tree } = paths.invocation(id)
  const record = readRecord(meta, invocationRecordSchema)
  if (record === null) return null
  const { invocation_id, sandbox_path, sandbox_branch } = record
  requireDerived(meta, [
    { field: 'invocation_id', found: invocation_id, derived: id },
    { field: 'sandbox_path', found: showPath(sandbox_path), derived: showPath(tree) },
    { field: 'sandbox_branch', found: sandbox_branch, derived: sandboxBranch(invocation_id) },
  ])
  return record
}

export async function writeInvocation(paths: RepoPaths, record: InvocationRecord): Promise<void> {
  await writeRecord(paths.invocation(record.invocation_id).meta, invocationRecordSchema, record)
}

/** Read-modify-write. The caller holds the repository's lock. */
export async function updateInvocation(
  paths: RepoPaths,
  id: string,
  change: Partial<InvocationRecord> | ((record: InvocationRecord) => Partial<InvocationRecord>),
): Promise<InvocationRecord> {
  const before = readInvocation(paths, id)
  const record: InvocationRecord = { ...before, ...(typeof change === 'function' ? change(before) : change) }
  await writeInvocation(paths, record)
  return record
}
