// What a tree of ours carries to say what it is, and the directory in which that lies.

export const MARKER_DIR = '.agency'
export const INTEGRATION_MARKER = '.agency/INTEGRATION_MARKER'
export const SANDBOX_MARKER = '.agency/SANDBOX_MARKER'

/** A path from a tree's root that is Agency's own: never part of an agent's work. */
export const isMarkerPath = (path: string): boolean =>
  path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`)
