// The ledger of invocations. A record that cannot be read, or whose sandbox is not there, is broken: listed apart,
// reached by its exact id only, repaired by nobody here.

import { existsSync } from 'node:fs'
import { listNames } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'
import { type InvocationId, isInvocationId } from '../model/ids.ts'
import {
  type BrokenInvocation,
  type InvocationRecord,
  invocationRecordSchema,
  isClosed,
  sandboxBranch,
} from '../model/invocation.ts'
import { resolveOne } from '../model/resolve.ts'
import { recallClosed } from './closed-invocations.ts'
import type { RepoPaths } from './paths.ts'
import { readRecord, requireDerived, writeRecord } from './record-file.ts'

export interface InvocationList {
  /** Oldest first. */
  readonly invocations: readonly InvocationRecord[]
  readonly broken: readonly BrokenInvocation[]
}

export interface ListOptions {
  /** Leave out the landed and discarded ones, which are most in the end, without the cost of parsing them. */
  readonly open_only?: boolean
}

export function listInvocations(paths: RepoPaths, options: ListOptions = {}): InvocationList {
  const invocations: InvocationRecord[] = []
  const broken: BrokenInvocation[] = []
  const closed = options.open_only === true ? recallClosed(paths) : null
  for (const id of listInvocationIds(paths)) {
    if (closed?.has(id) === true) continue
    const found = inspectInvocation(paths, id)
    if (found === null) continue
    if (isBroken(found)) broken.push(found)
    else invocations.push(found)
  }
  closed?.keep()
  return { invocations, broken }
}

/** Of all that have a record or a sandbox, oldest first. */
export function listInvocationIds(paths: RepoPaths): InvocationId[] {
  const recorded = listNames(paths.invocationsDir)
  const known = new Set(recorded)
  const lost = listNames(paths.sandboxesDir).filter((name) => !known.has(name))
  const names = lost.length === 0 ? recorded : [...recorded, ...lost].sort()
  return names.filter(isInvocationId)
}

/** null where there is neither a record nor a sandbox tree. */
export function inspectInvocation(
  paths: RepoPaths,
  id: InvocationId,
): InvocationRecord | BrokenInvocation | null {
  const at = paths.invocation(id)
  const broke = (reason: string, record: InvocationRecord | null): BrokenInvocation => ({
    invocation_id: id,
    broken: true,
    reason,
    record,
  })
  try {
    const record = readChecked(paths, id)
    if (record === null) return existsSync(at.tree) ? broke('its sandbox has no record', null) : null
    if (isClosed(record) || existsSync(record.sandbox_path)) return record
    return broke(`its sandbox is missing: ${record.sandbox_path}`, record)
  } catch (error) {
    if (error instanceof AgencyError) return broke(error.message, null)
    throw error
  }
}

/** By id, unique prefix or last four. Throws E_INVOCATION_NOT_FOUND, E_AMBIGUOUS, E_INVOCATION_BROKEN. */
export function findInvocation(paths: RepoPaths, typed: string): InvocationRecord {
  // A whole id needs no look at the ten thousand others.
  const whole = isInvocationId(typed) ? inspectInvocation(paths, typed) : null
  const { invocations, broken } = whole === null ? listInvocations(paths) : sortOut(whole)
  const candidates = [
    ...invocations.map((record) => ({
      id: record.invocation_id,
      name: null,
      exactOnly: false,
      found: record,
    })),
    ...broken.map((found) => ({ id: found.invocation_id, name: null, exactOnly: true, found })),
  ]
  const { found } = resolveOne(typed, candidates, 'E_INVOCATION_NOT_FOUND')
  if (isBroken(found)) throw new AgencyError('E_INVOCATION_BROKEN', `${typed} is broken: ${found.reason}`)
  return found
}

const sortOut = (found: InvocationRecord | BrokenInvocation): InvocationList =>
  isBroken(found) ? { invocations: [], broken: [found] } : { invocations: [found], broken: [] }

/** A record may hold any field, one called `broken` too, but not say so of itself. */
export const isBroken = (found: InvocationRecord | BrokenInvocation): found is BrokenInvocation =>
  'broken' in found && found.broken === true && 'reason' in found

/** Throws E_INVOCATION_NOT_FOUND where there is none. */
export function readInvocation(paths: RepoPaths, id: string): InvocationRecord {
  const record = readChecked(paths, id)
  if (record === null) throw new AgencyError('E_INVOCATION_NOT_FOUND', `there is no invocation ${id}`)
  return record
}

/** Agents can write records: what follows from the id is not believed. Throws E_RECORD_UNREADABLE. */
function readChecked(paths: RepoPaths, id: string): InvocationRecord | null {
  const { meta, tree } = paths.invocation(id)
  const record = readRecord(meta, invocationRecordSchema)
  if (record === null) return null
  const { invocation_id, sandbox_path, sandbox_branch } = record
  requireDerived(meta, [
    { field: 'invocation_id', found: invocation_id, derived: id },
    { field: 'sandbox_path', found: sandbox_path, derived: tree },
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
