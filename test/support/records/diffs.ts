// Diffs of sandboxes as the facade gives them, made by hand for tests of what shows them.

import type { FileChange, SandboxDiff } from '../../../src/core/model/change.ts'
import { commitOf } from './records.ts'

export function sandboxDiff(
  parts: Partial<Omit<SandboxDiff, 'patch'>> & { patch?: string } = {},
): SandboxDiff {
  return {
    part: null,
    ignore_whitespace: false,
    base: commitOf('7'),
    head: commitOf('8'),
    state_tree: commitOf('9'),
    commits: [],
    files: [],
    dirty: false,
    incomplete: [],
    ...parts,
    patch: Buffer.from(parts.patch ?? ''),
  }
}

export const fileChange = (path: string, parts: Partial<FileChange> = {}): FileChange => ({
  kind: 'modified',
  path,
  from_path: null,
  old_mode: '100644',
  new_mode: '100644',
  added: 1,
  deleted: 1,
  binary: false,
  uncommitted: false,
  untracked: false,
  ...parts,
})

/** The patch of one file; `hunks` are written as git prints them. */
export const patchOf = (path: string, ...hunks: readonly string[]): string =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...hunks, ''].join('\n')
