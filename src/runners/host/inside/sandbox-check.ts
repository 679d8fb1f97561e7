// The last check before a runner is executed: it runs in a sandbox of its own invocation, or not at all.

import { constants, lstatSync, openSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import { INTEGRATION_MARKER, MARKER_DIR, SANDBOX_MARKER } from '../../../core/model/markers.ts'
import { showPath } from '../../../core/model/sandbox-path.ts'
import type { RepoPaths } from '../../../core/store/paths.ts'

export interface CheckedSandbox {
  /** Real. */
  readonly path: string
  /**
   * Leads to the very directory that was checked, even if something else is put in its place before the runner is
   * executed.
   */
  readonly cwd: string
}

/** Throws E_SANDBOX_UNSAFE_PATH or E_SANDBOX_MARKER_MISSING. */
export function checkSandbox(paths: RepoPaths, record: InvocationRecord): CheckedSandbox {
  const id = record.invocation_id
  const expected = join(requireRealPath(paths.sandboxesDir), id, 'tree')
  const real = requireRealPath(showPath(paths.invocation(id).tree))
  const recorded = requireRealPath(showPath(record.sandbox_path))
  if (real !== expected || recorded !== expected) {
    throw unsafe(`the sandbox of ${id} should be ${expected}, and is ${recorded}`)
  }
  const cwd = pin(real)
  if (kindOf(join(cwd, INTEGRATION_MARKER)) !== 'none') throw unsafe(`${real} is an integration tree`)
  const marked = kindOf(join(cwd, MARKER_DIR)) === 'directory' && kindOf(join(cwd, SANDBOX_MARKER)) === 'file'
  if (!marked) throw new AgencyError('E_SANDBOX_MARKER_MISSING', `${real} carries no ${SANDBOX_MARKER}`)
  return { path: real, cwd }
}

/** The directory stays open for the host's whole life. The child that becomes the runner goes there through it, too. */
function pin(path: string): string {
  if (process.platform !== 'linux') return path
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const cwd = `/proc/self/fd/${openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)}`
  if (requireRealPath(cwd) !== path) throw unsafe(`${path} was exchanged for ${requireRealPath(cwd)}`)
  return cwd
}

function requireRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw unsafe(`there is no ${path}`, cause)
  }
}

/** A link counts as neither file nor directory: through it the marker could lie somewhere else. */
function kindOf(path: string): 'none' | 'file' | 'directory' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'none'
  if (found.isFile()) return 'file'
  return found.isDirectory() ? 'directory' : 'other'
}

const unsafe = (message: string, cause?: unknown): AgencyError =>
  new AgencyError('E_SANDBOX_UNSAFE_PATH', message, { cause })
