// Lists and finds invocations. One whose record cannot be read, or whose sandbox is gone, is broken: it is listed
// apart, found by its exact id only, and never repaired here.

import { hasFiles, presenceOf } from '../../changesets/presence.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationId, isInvocationId } from '../../model/ids.ts'
import { type BrokenInvocation, type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { resolveOne } from '../../model/resolve.ts'
import { showPath } from '../../model/sandbox-path.ts'
import { recallClosed } from '../../store/closed-invocations.ts'
import { inspectRecord, isBroken, listInvocationIds } from '../../store/invocations.ts'
import type { RepoPaths } from '../../store/paths.ts'

export interface InvocationList {
  /** Oldest first. */
  readonly invocations: readonly InvocationRecord[]
  readonly broken: readonly BrokenInvocation[]
}

export interface ListOptions {
  /** Leaves out landed and discarded ones without parsing their records. In time they outnumber all others. */
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

/** null if there is neither a record nor a sandbox. */
export function inspectInvocation(
  paths: RepoPaths,
  id: InvocationId,
): InvocationRecord | BrokenInvocation | null {
  const found = inspectRecord(paths, id)
  if (found !== null) return isBroken(found) ? found : (findMissingSandbox(found) ?? found)
  if (!hasFiles(paths, id)) return null
  return { invocation_id: id, broken: true, reason: 'its sandbox has no record', record: null }
}

/** Broken if the sandbox is gone. One that is out of reach does not count as gone. */
export function findMissingSandbox(record: InvocationRecord): BrokenInvocation | null {
  if (isClosed(record) || presenceOf(record) !== 'gone') return null
  const { invocation_id, sandbox_path } = record
  const reason = `its sandbox is missing: ${showPath(sandbox_path)}`
  return { invocation_id, broken: true, reason, record }
}

/**
 * Finds it by id, unique prefix or last four characters. Throws E_INVOCATION_NOT_FOUND, E_AMBIGUOUS,
 * E_INVOCATION_BROKEN.
 */
export function findInvocation(paths: RepoPaths, typed: string): InvocationRecord {
  // A whole id is looked up directly, without looking at ten thousand others.
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
