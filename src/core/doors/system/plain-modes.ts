// The modes that a check-out into a directory gives.

import { readFileSync } from 'node:fs'
import type { PlainModes } from '../../model/verbatim.ts'
import { lstatIfThere } from './files.ts'

let umask: number | null = null

export function plainModesIn(tree: string): PlainModes {
  umask ??= readUmask()
  return { umask, inherited: (lstatIfThere(tree)?.mode ?? 0) & SET_GROUP }
}

const SET_GROUP = 0o2000

/** The system's own call for it sets the umask to nothing for a moment. */
function readUmask(): number {
  try {
    const said = /^Umask:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (said !== undefined) return Number.parseInt(said, 8)
  } catch {
    // Not a Linux.
  }
  return process.umask()
}
