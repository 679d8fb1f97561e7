// Every process of the machine as one table, and the pure choice of those that belong to an invocation. The two ways
// of reading a table (Linux, and everything that has `ps`) are in files of their own.

import { isWithin } from '../../model/path-safety.ts'

export interface ProcessRow {
  readonly pid: number
  readonly ppid: number
  readonly start_time: string
  /** The AGENCY_INVOCATION_ID in its environment; null where it has none. */
  readonly invocation_id: string | null
  /**
   * Its working directory, read only if its environment was wiped or painted over (env -i, setproctitle). A person's
   * own shell or editor in the sandbox has a whole environment, and must never be ended as if it were the agent's.
   */
  readonly wiped_cwd: string | null
}

export interface Belonging {
  readonly invocationId: string
  /** Real path. */
  readonly treePath: string
  /** The process that asks, which is never chosen. */
  readonly self: number
}

/** Chooses marked processes, wiped ones that work in the tree, and the descendants of both. */
export function selectOfInvocation(rows: readonly ProcessRow[], wanted: Belonging): ProcessRow[] {
  const children = groupByParent(rows)
  const chosen = new Set<ProcessRow>()
  const choose = (row: ProcessRow): void => {
    if (chosen.has(row)) return
    chosen.add(row)
    for (const child of children.get(row.pid) ?? []) choose(child)
  }
  for (const row of rows) {
    const marked = row.invocation_id === wanted.invocationId
    if (marked || (row.wiped_cwd !== null && isWithin(row.wiped_cwd, wanted.treePath))) choose(row)
  }
  return [...chosen].filter((row) => row.pid !== wanted.self)
}

/** One process and its descendants; none where it is not there, or another has its pid. */
export function selectFamily(
  rows: readonly ProcessRow[],
  first: Pick<ProcessRow, 'pid' | 'start_time'>,
): ProcessRow[] {
  const children = groupByParent(rows)
  const family = rows.filter(({ pid, start_time }) => pid === first.pid && start_time === first.start_time)
  for (const { pid } of family) family.push(...(children.get(pid) ?? []))
  return family
}

function groupByParent(rows: readonly ProcessRow[]): Map<number, ProcessRow[]> {
  const children = new Map<number, ProcessRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.ppid)
    if (siblings === undefined) children.set(row.ppid, [row])
    else siblings.push(row)
  }
  return children
}
