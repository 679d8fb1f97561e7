// Captures a work tree's whole state as git objects while the agent goes on working in it: with a private index, and
// without a lock, a ref, a hook or a git in a nested repository. A file that comes or goes while git reads costs
// another attempt.

import { AgencyError } from '../../../model/errors.ts'
import type { Capture } from '../../changeset.ts'
import { captureCarefully } from './capture-carefully.ts'
import { captureQuickly } from './capture-quickly.ts'
import {
  type Attempt,
  type CaptureRequest,
  describeCapture,
  type FailedCapture,
  type TakenCapture,
} from './describe-capture.ts'
import { findLook, stillHolds } from './kept-look.ts'
import { listForeign } from './list-foreign.ts'

/** Each lost race costs one attempt. An agent that rewrites files in a loop makes us lose about every second one. */
const ATTEMPTS = 40

/**
 * Where the agent commits faster than we read, the HEAD from before the reading is good enough: the files hold what it
 * committed.
 */
const HEAD_ATTEMPTS = 2

/** Throws E_GIT_FAILED where the files change too fast to be read. */
export async function captureTree(request: CaptureRequest): Promise<Capture> {
  let failed: FailedCapture | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const taken: Attempt = await tryCapture(request, failed)
    if ('setAside' in taken) failed = taken
    else if (!taken.moved || attempt >= HEAD_ATTEMPTS) return withForeign(request, taken.capture)
  }
  throw new AgencyError(
    'E_GIT_FAILED',
    `the files of ${request.where.tree_path} could not be read: ${failed?.said ?? ''}`,
  )
}

async function withForeign(request: CaptureRequest, capture: Capture): Promise<Capture> {
  const foreign = await listForeign({ ...request, head: capture.head })
  if (foreign.length === 0) return capture
  const reasons = foreign.map((path): [string, string] => [path, 'it lies in a directory of agency'])
  return {
    ...capture,
    incomplete: [...capture.incomplete, ...foreign].sort(),
    reasons: { ...capture.reasons, ...Object.fromEntries(reasons) },
  }
}

async function tryCapture(request: CaptureRequest, failed: FailedCapture | null): Promise<Attempt> {
  if (failed !== null) return captureCarefully(request, failed.setAside)
  const taken = (await captureUnchanged(request)) ?? (await captureQuickly(request))
  return taken ?? { setAside: [], said: 'it is out of the ordinary' }
}

/** null where the tree was not known to be clean, or has changed since. */
async function captureUnchanged(request: CaptureRequest): Promise<TakenCapture | null> {
  const look = findLook(request)
  if (look === null) return null
  const [head, holds] = await Promise.all([request.heads.read(), stillHolds(request, look)])
  if (!holds || head.unborn) return null
  const capture = describeCapture(head, {
    tree: request.where.tree_path,
    staged: head.head_tree,
    state_tree: head.head_tree,
    incomplete: [],
    excluded: [],
    verbatim: null,
    has_ignored: look.has_ignored,
  })
  return { capture, moved: await request.heads.hasMoved(head) }
}
