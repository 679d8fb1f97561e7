// The private refs under which Agency keeps states.

/** Followed by the id of an invocation or worktree: its whole state when it was closed. */
export const TRASH_REFS = 'refs/agency/trash/'
/** Followed by the id of an invocation and the number of a checkpoint. */
export const SNAPSHOT_REFS = 'refs/agency/snapshots/'
/** In a submodule's repository, followed by the id of an invocation: a commit of it that was landed. */
export const LANDED_REFS = 'refs/agency/landed/'
