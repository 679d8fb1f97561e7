// A sandbox's whole work as lines: its commits, its files, its patch.

import {
  type ChangeKind,
  type FileChange,
  formatDiffstat,
  type SandboxDiff,
} from '../../../core/model/change.ts'
import { count } from '../../text/amounts.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { formatPatch } from '../../text/patch.ts'
import { formatTable } from '../../text/table.ts'
import type { Page } from '../commands/command.ts'

export function formatDiff(diff: SandboxDiff, { page, summary }: { page: Page; summary: boolean }): Line[] {
  const patch = formatPatch(Buffer.from(diff.patch).toString('utf8'))
  if (!summary) return patch
  if (diff.files.length === 0 && diff.commits.length === 0)
    return ['It has changed nothing.', ...viewIncomplete(diff)]
  return [
    [span(count(diff.commits.length, 'commit'), 'strong'), span(` since ${diff.base.slice(0, 7)}`, 'dim')],
    ...diff.commits.map(({ commit, subject }): Line => [span(`  ${commit.slice(0, 7)} `, 'accent'), subject]),
    '',
    span(formatDiffstat(diff.files), 'strong'),
    ...formatFiles(diff.files, page),
    ...viewIncomplete(diff),
    ...(patch.length === 0 ? [] : ['', ...patch]),
  ]
}

const KINDS: Readonly<Record<ChangeKind, Span>> = {
  added: span('added', 'added'),
  modified: 'changed',
  deleted: span('deleted', 'removed'),
  renamed: 'renamed',
  copied: 'copied',
  type_changed: 'type changed',
}

function formatFiles(files: readonly FileChange[], page: Page): Line[] {
  const columns = [
    { title: 'FILE', shrink: 'middle' },
    { title: 'WHAT' },
    { title: '+', align: 'right' },
    { title: '-', align: 'right' },
    { title: 'NOTE' },
  ] as const
  const rows = files.map((file): Span[] => [
    file.from_path === null ? file.path : `${file.from_path} -> ${file.path}`,
    KINDS[file.kind],
    span(file.added === null ? '' : String(file.added), 'added'),
    span(file.deleted === null ? '' : String(file.deleted), 'removed'),
    span(noteOn(file), 'needs_you'),
  ])
  return files.length === 0 ? [] : formatTable(columns, rows, page.columns)
}

function noteOn({ binary, uncommitted, old_mode, new_mode, kind }: FileChange): string {
  const moded = kind !== 'added' && kind !== 'deleted' && old_mode !== new_mode
  return [
    uncommitted ? 'uncommitted' : '',
    binary ? 'binary' : '',
    moded ? `mode ${old_mode} -> ${new_mode}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

const viewIncomplete = ({ incomplete }: SandboxDiff): Line[] =>
  incomplete.map((what) => [span('not included: ', 'needs_you'), what])
