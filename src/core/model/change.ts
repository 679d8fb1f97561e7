// What a sandbox changed, as data: the same answer feeds diff, land, lists and the dashboard.

import type { ObjectId } from './ids.ts'

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed'

/** One changed path. Paths are as git stores them, decoded as UTF-8 with invalid bytes replaced; untrusted text. */
export interface FileChange {
  readonly kind: ChangeKind
  readonly path: string
  /** The path that a renamed or copied file had before. */
  readonly from_path: string | null
  /** Octal git modes such as 100644; 000000 where there is no file. */
  readonly old_mode: string
  readonly new_mode: string
  /** Lines; null for binary files. */
  readonly added: number | null
  readonly deleted: number | null
  readonly binary: boolean
  /** No commit of the sandbox has it: it is changed or new in the work tree only. */
  readonly uncommitted: boolean
  /** Uncommitted, and not known to git either. */
  readonly untracked: boolean
}

export interface CommitLine {
  readonly commit: ObjectId
  readonly author: string
  /** RFC 3339. */
  readonly authored_at: string
  readonly subject: string
}

/** One of the sandbox's own commits compared with its first parent, or what no commit has. */
export type WorkPart = ObjectId | 'uncommitted'

export interface DiffRequest {
  /** If false or left out, only the list of files is made. */
  readonly patch?: boolean
  /** Default: the whole work. */
  readonly part?: WorkPart
  /** Lines that differ in white space only count as the same. */
  readonly ignore_whitespace?: boolean
  /** git's objects for it are thrown away, so `state_tree` cannot be read afterwards. */
  readonly draft?: boolean
}

/** What a sandbox changed: all of it compared with its base, or one part. */
export interface SandboxDiff {
  /** The part that `files` and `patch` are about; null for the whole work. */
  readonly part: WorkPart | null
  readonly ignore_whitespace: boolean
  readonly base: ObjectId
  /** The sandbox's HEAD. */
  readonly head: ObjectId
  /** The tree of its whole state: commits, uncommitted and untracked files. */
  readonly state_tree: ObjectId
  /** The sandbox's own commits, newest first. */
  readonly commits: readonly CommitLine[]
  /** Includes files that differ in white space only. If that is ignored, they have no lines and no patch. */
  readonly files: readonly FileChange[]
  readonly dirty: boolean
  /** Paths that git could not read or keep: nested repositories, sockets, unreadable files. */
  readonly incomplete: readonly string[]
  /**
   * The unified diff with --binary as git printed it, as bytes because files need not be UTF-8. Empty if only the list
   * was asked for.
   */
  readonly patch: Uint8Array
}

/** Like `+42 -15 in 3 files`. */
export function formatDiffstat(files: readonly FileChange[]): string {
  const sum = (pick: (file: FileChange) => number | null): number =>
    files.reduce((total, file) => total + (pick(file) ?? 0), 0)
  const count = files.length === 1 ? '1 file' : `${files.length} files`
  return `+${sum((file) => file.added)} -${sum((file) => file.deleted)} in ${count}`
}

export interface DiffTotals {
  readonly added: number
  readonly deleted: number
  readonly files: number
}

const DIFFSTAT = /^\+(\d+) -(\d+) in (\d+) files?$/

/** Reads what formatDiffstat wrote; null for anything else. */
export function parseDiffstat(words: string): DiffTotals | null {
  const found = DIFFSTAT.exec(words)
  return found === null
    ? null
    : { added: Number(found[1]), deleted: Number(found[2]), files: Number(found[3]) }
}
