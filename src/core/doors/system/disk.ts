// What a directory's disk still takes.

import { accessSync, constants, statfsSync } from 'node:fs'

/** Whether files can be read, made and deleted in it. */
export function isWritableDirectory(dir: string): boolean {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Bytes that are left for us. */
export function freeSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}
