// A sandbox's diff as it is shown: every changed file with its hunks, or with a remark if it has none, so that no
// change is ever shown as nothing.

import type { CommitLine, FileChange, SandboxDiff, WorkPart } from '../../../core/model/change.ts'
import { parsePatch } from './parse-patch.ts'
import type { PatchFile, PatchHunk } from './patch-file.ts'

export interface DiffFile {
  readonly change: FileChange
  readonly hunks: readonly PatchHunk[]
  /** Of all hunks. */
  readonly lines: number
  /** What has to be said about the file, beside its hunks or instead of them. */
  readonly remarks: readonly string[]
}

export interface DiffContent {
  readonly part: WorkPart | null
  readonly ignoreWhitespace: boolean
  /** Of the whole work, newest first. */
  readonly commits: readonly CommitLine[]
  readonly dirty: boolean
  readonly files: readonly DiffFile[]
  readonly incomplete: readonly string[]
}

export function readDiffContent(diff: SandboxDiff): DiffContent {
  const patches = groupByPath(parsePatch(diff.patch))
  const files = diff.files.map((change) => {
    // A file that became a link, or the other way round, has two patches: one deletes it, one adds it.
    const own = patches.get(change.path)?.splice(0, change.kind === 'type_changed' ? 2 : 1) ?? []
    return describeFile(change, own, diff.ignore_whitespace)
  })
  return {
    part: diff.part,
    ignoreWhitespace: diff.ignore_whitespace,
    commits: diff.commits,
    dirty: diff.dirty,
    files,
    incomplete: diff.incomplete,
  }
}

/** In git's order. If two paths are not UTF-8 they may look the same; then their files are taken in that order. */
function groupByPath(patches: readonly PatchFile[]): Map<string, PatchFile[]> {
  const groups = new Map<string, PatchFile[]>()
  for (const patch of patches) groups.set(patch.path, [...(groups.get(patch.path) ?? []), patch])
  return groups
}

function describeFile(
  change: FileChange,
  patches: readonly PatchFile[],
  ignoreWhitespace: boolean,
): DiffFile {
  const hunks = patches.flatMap((patch) => patch.hunks)
  const about = [...remarkOnModes(change), change.binary ? 'binary: not shown' : ''].filter(Boolean)
  const remarks = hunks.length + about.length > 0 ? about : [remarkOnNothing(change, ignoreWhitespace)]
  return { change, hunks, lines: hunks.reduce((sum, hunk) => sum + hunk.length, 0), remarks }
}

const EXECUTABLE = '100755'
const KINDS_BY_MODE: Readonly<Record<string, string>> = {
  '120000': 'symbolic link',
  '160000': 'nested repository: only its commit is kept',
}

function remarkOnModes({ kind, old_mode, new_mode }: FileChange): string[] {
  const special = KINDS_BY_MODE[new_mode] ?? KINDS_BY_MODE[old_mode]
  if (kind === 'added' || kind === 'deleted') {
    const said = special ?? (new_mode === EXECUTABLE ? 'executable' : undefined)
    return said === undefined ? [] : [said]
  }
  if (old_mode === new_mode) return special === undefined ? [] : [special]
  if (kind === 'type_changed') return [`was ${nameMode(old_mode)}, is ${nameMode(new_mode)}`]
  return [new_mode === EXECUTABLE ? 'made executable' : 'no longer executable']
}

const nameMode = (mode: string): string =>
  ({ '120000': 'a symbolic link', '160000': 'a nested repository' })[mode] ?? 'a file'

/** For a file without hunks about which nothing else was said. */
function remarkOnNothing({ kind, added, deleted }: FileChange, ignoreWhitespace: boolean): string {
  if ((added ?? 0) + (deleted ?? 0) > 0) return 'git printed no patch of it'
  switch (kind) {
    case 'added':
    case 'deleted':
      return 'empty'
    case 'renamed':
      return 'moved as it was'
    case 'copied':
      return 'copied as it was'
    case 'modified':
    case 'type_changed':
      return ignoreWhitespace ? 'differs in white space only' : 'git printed no patch of it'
  }
}
