// When git had written the files of a tree. What was not touched since comes back by the same check-out; what was
// touched is looked at. The note lies beside the tree. It holds the time itself, because that of a file does not
// survive a copy of the data directory.

import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FILE_MODE, readTextIfThere } from '../../../doors/system/files.ts'
import type { ChangeTime } from '../../../model/index-file.ts'

export const FILLED = 'filled'

const notePath = (tree: string): string => join(dirname(tree), FILLED)

/** The caller knows that nobody but git has written into the tree until now. Takes the file system's own time. */
export function stampFilled(tree: string): void {
  const draft = `${notePath(tree)}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, '', { mode: FILE_MODE, flag: 'wx' })
  const { ctimeNs } = lstatSync(draft, { bigint: true })
  writeFileSync(draft, `${ctimeNs}\n`)
  renameSync(draft, notePath(tree))
}

/** null where nobody has noted it: then everything may have been touched. */
export function readFilled(tree: string): ChangeTime | null {
  const said = /^(\d{1,20})\n$/.exec(readTextIfThere(notePath(tree)) ?? '')?.[1]
  if (said === undefined) return null
  const at = BigInt(said)
  return { seconds: Number(at / 1_000_000_000n), nanoseconds: Number(at % 1_000_000_000n) }
}
