// Directories of ours for one moment. Their names say which process made them, so that what a kill leaves behind can be
// told from what is in use.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

const KINDS = ['capture', 'commits', 'drafts', 'expected', 'indexes', 'trees'] as const
export type ScratchKind = (typeof KINDS)[number]

const NAME = new RegExp(`^(?:${KINDS.join('|')})-(\\d+)-[A-Za-z0-9]{6}$`)

/** In an existing directory of ours. The caller removes it. */
export const makeScratchDirectory = (parent: string, kind: ScratchKind): string =>
  mkdtempSync(join(parent, `${kind}-${process.pid}-`))

/** The pid that made a directory of that name; null where it is no such name. */
export function makerOf(name: string): number | null {
  const pid = NAME.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}
