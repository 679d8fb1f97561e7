// The tree as a flat list: worktrees with their invocations below them, what is archived or broken under headings of
// its own. Each item knows at which line it begins, so that a view of a thousand rows draws only those it shows.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import { type BrokenInvocation, isClosed } from '../../../core/model/invocation.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import type { ObservedInvocation, Snapshot } from '../observe/snapshot.ts'
import type { TreeState } from '../state/dashboard-state.ts'

interface PlacedItem {
  readonly key: string
  /** Line of the list where it begins. */
  readonly at: number
  readonly lines: 1 | 2
}

export interface HeadingItem extends PlacedItem {
  readonly kind: 'heading'
  readonly words: string
}

export interface WorktreeItem extends PlacedItem {
  readonly kind: 'worktree'
  readonly view: WorktreeView
  readonly children: number
  readonly folded: boolean
}

export interface InvocationItem extends PlacedItem {
  readonly kind: 'invocation'
  readonly row: ObservedInvocation
  /** The last one of its worktree. */
  readonly last: boolean
}

export interface BrokenItem extends PlacedItem {
  readonly kind: 'broken'
  readonly broken: BrokenInvocation
}

export type TreeItem = HeadingItem | WorktreeItem | InvocationItem | BrokenItem

export const worktreeKey = (id: string): string => `w:${id}`
export const invocationKey = (id: string): string => `i:${id}`

/** The same list as long as what it was made of is the same. */
export function treeItems(snapshot: Snapshot, tree: TreeState): readonly TreeItem[] {
  const { folded, filter, archived } = tree
  const made = lastMade
  if (
    made !== null &&
    made.snapshot === snapshot &&
    made.folded === folded &&
    made.filter === filter &&
    made.archived === archived
  ) {
    return made.items
  }
  const items = listItems(snapshot, tree)
  lastMade = { snapshot, folded, filter, archived, items }
  return items
}

interface MadeItems {
  readonly snapshot: Snapshot
  readonly folded: ReadonlySet<string>
  readonly filter: string
  readonly archived: boolean
  readonly items: readonly TreeItem[]
}

let lastMade: MadeItems | null = null

function listItems(snapshot: Snapshot, tree: TreeState): TreeItem[] {
  const list = new ItemList()
  const children = groupByWorktree(snapshot.invocations, tree.archived)
  const present = snapshot.worktrees.filter(({ record }) => record.state === 'present')
  const archived = snapshot.worktrees.filter(({ record }) => record.state === 'archived')
  for (const view of present) addWorktree(list, view, { children, tree })
  if (tree.archived && archived.length > 0) {
    list.add({ kind: 'heading', key: 'h:archived', words: 'Archived' })
    for (const view of archived) addWorktree(list, view, { children, tree })
  }
  const broken = snapshot.broken.filter((one) => matches(tree.filter, [one.invocation_id, one.reason]))
  if (broken.length > 0) {
    list.add({ kind: 'heading', key: 'h:broken', words: 'Broken' })
    for (const one of broken) list.add({ kind: 'broken', key: invocationKey(one.invocation_id), broken: one })
  }
  return list.items
}

type Unplaced<T> = T extends TreeItem ? Omit<T, 'at' | 'lines'> : never

class ItemList {
  readonly items: TreeItem[] = []
  #next = 0

  add(item: Unplaced<TreeItem>, lines: 1 | 2 = 1): void {
    this.items.push({ ...item, at: this.#next, lines })
    this.#next += lines
  }
}

interface Grouping {
  readonly children: ReadonlyMap<string, readonly ObservedInvocation[]>
  readonly tree: TreeState
}

function addWorktree(list: ItemList, view: WorktreeView, { children, tree }: Grouping): void {
  const { worktree_id, name } = view.record
  const all = children.get(worktree_id) ?? []
  const named = matches(tree.filter, [name])
  const rows = named ? all : all.filter((row) => matches(tree.filter, searchedWords(row)))
  if (!named && rows.length === 0) return
  const key = worktreeKey(worktree_id)
  const folded = tree.filter === '' && tree.folded.has(key)
  list.add({ kind: 'worktree', key, view, children: rows.length, folded })
  if (folded) return
  rows.forEach((row, index) => {
    const item = { kind: 'invocation', key: invocationKey(row.record.invocation_id), row } as const
    list.add({ ...item, last: index === rows.length - 1 }, hasFigures(row) ? 2 : 1)
  })
}

/** A second line says what it changed, what it cost and how old its last checkpoint is. */
export function hasFigures({ record, diff, checkpoints }: ObservedInvocation): boolean {
  if (isClosed(record)) return false
  return checkpoints !== null || (diff.value?.files ?? 0) > 0 || (record.usage?.cost_usd ?? null) !== null
}

function groupByWorktree(
  invocations: readonly ObservedInvocation[],
  closedToo: boolean,
): Map<string, ObservedInvocation[]> {
  const groups = new Map<string, ObservedInvocation[]>()
  for (const row of invocations) {
    if (!closedToo && isClosed(row.record)) continue
    const id = row.record.integration_worktree_id
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [row])
    else group.push(row)
  }
  for (const group of groups.values()) group.sort(byStart)
  return groups
}

/** Ids tell the second only: of two that were started in one, the second must not stand first. */
function byStart({ record: one }: ObservedInvocation, { record: other }: ObservedInvocation): number {
  if (one.started_at === other.started_at) return 0
  return one.started_at < other.started_at ? -1 : 1
}

const searchedWords = ({ record, display }: ObservedInvocation): string[] => [
  record.invocation_id,
  record.invocation_name,
  record.runner,
  record.prompt ?? '',
  STATE_LOOKS[display].words,
]

/** Every word of the filter is in one of the texts. */
function matches(filter: string, texts: readonly string[]): boolean {
  if (filter === '') return true
  const all = texts.join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
