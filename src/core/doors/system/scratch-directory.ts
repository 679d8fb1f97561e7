// Directories of ours for a moment. The name says which process made it, so that what a kill has left can be told from
// what is in use.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const KINDS = ['capture', 'commits', 'drafts', 'expected', 'indexes', 'submodules', 'verbatim'] as const
export type ScratchKind = (typeof KINDS)[number]

const NAME = new RegExp(`^(?:${KINDS.join('|')})-(\\d+)-[A-Za-z0-9]{6}$`)

/** Runs `work` with a directory in `parent`, an existing directory of ours. It is deleted afterwards. */
export async function inScratchDirectory<T>(
  parent: string,
  kind: ScratchKind,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(parent, `${kind}-${process.pid}-`))
  try {
    return await work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The pid that made a directory with this name; null where the name is of another form. */
export function makerOf(name: string): number | null {
  const pid = NAME.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}
