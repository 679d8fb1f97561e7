// What a sandbox changed, as data: the same answer feeds diff, land, lists and the dashboard.

import type { ObjectId } from './ids.ts'

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed'

/** One changed path. Paths are as git stores them, decoded as UTF-8 with invalid bytes replaced; untrusted text. */
export interface FileChange {
  readonly kind: ChangeKind
  readonly path: string
  /** Where a renamed or copied file came from. */
  readonly from_path: string | null
  /** Octal git modes such as 100644; 000000 where absent. */
  readonly old_mode: string
  readonly new_mode: string
  /** Lines; null for binary files. */
  readonly added: number | null
  readonly deleted: number | null
  readonly binary: boolean
  /** In no commit of the sandbox: changed or new in its work tree only. */
  readonly uncommitted: boolean
  /** Uncommitted, and git was never told of it. */
  readonly untracked: boolean
}

export interface CommitLine {
  readonly commit: ObjectId
  readonly author: string
  /** RFC 3339. */
  readonly authored_at: string
  readonly subject: string
}

/** One of the sandbox's own commits against its first parent, or what none of them holds. */
export type WorkPart = ObjectId | 'uncommitted'

export interface DiffRequest {
  /** Without it only the list of files is made. */
  readonly patch?: boolean
  /** Without it, the whole work. */
  readonly part?: WorkPart
  /** Lines that differ in white space only count as the same. */
  readonly ignore_whitespace?: boolean
  /** What git writes for it is thrown away, so that `state_tree` cannot be read afterwards. */
  readonly draft?: boolean
}

/** The work of a sandbox, whole against its base or a part of it. */
export interface SandboxDiff {
  /** What `files` and `patch` are of; null is the whole work. */
  readonly part: WorkPart | null
  readonly ignore_whitespace: boolean
  readonly base: ObjectId
  /** The sandbox's HEAD. */
  readonly head: ObjectId
  /** The tree of its whole state: commits, uncommitted and untracked files. */
  readonly state_tree: ObjectId
  /** All of the sandbox's own, newest first. */
  readonly commits: readonly CommitLine[]
  /** A file that differs only in white space is among them also where that is ignored, with no line and no patch. */
  readonly files: readonly FileChange[]
  readonly dirty: boolean
  /** What could not be read or kept in git: nested repositories, sockets, unreadable files. */
  readonly incomplete: readonly string[]
  /** The unified diff with --binary, as git printed it, byte for byte: files need not be UTF-8. Empty where only the list was asked for. */
  readonly patch: Uint8Array
}

/** `+42 -15 in 3 files`, the seeds' wording. */
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

/** What formatDiffstat wrote; null where somebody else wrote it. */
export function parseDiffstat(words: string): DiffTotals | null {
  const found = DIFFSTAT.exec(words)
  return found === null
    ? null
    : { added: Number(found[1]), deleted: Number(found[2]), files: Number(found[3]) }
}
