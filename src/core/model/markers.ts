// The files in a tree of ours that say what it is, and the directory that they lie in.

export const MARKER_DIR = '.agency'
/** Where a runner may report its own state. */
export const STATE_DIR = '.agency/state'
export const INTEGRATION_MARKER = '.agency/INTEGRATION_MARKER'
export const SANDBOX_MARKER = '.agency/SANDBOX_MARKER'

/** Whether a path from a tree's root is agency's own, and so never part of an agent's work. */
export const isMarkerPath = (path: string): boolean =>
  path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`)
