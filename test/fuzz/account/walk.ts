// Everything that lies below a directory, by raw paths, also where a path is longer than the system takes. Links are not
// followed, and nothing is opened but files and directories.

import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'

export interface Found {
  /** Raw, from the directory that is walked; one character for each byte. */
  readonly path: string
  /** By which it can be opened now. */
  readonly full: Buffer
  readonly stat: Stats
}

/** The system takes 4096. */
const LONG = 3_000

/** `enter` decides of each directory whether it is walked. */
export function walk(root: Buffer, visit: (found: Found) => void, enter: (found: Found) => boolean): void {
  const step = (dir: Buffer, path: string): void => {
    for (const entry of listEntries(dir)) {
      const name = entry.name.toString('latin1')
      const full = Buffer.concat([dir, Buffer.from('/'), entry.name])
      const stat = statQuietly(full)
      if (stat === null) continue
      const found = { path: path === '' ? name : `${path}/${name}`, full, stat }
      visit(found)
      if (stat.isDirectory() && enter(found)) deeper(full, (shorter) => step(shorter, found.path))
    }
  }
  step(root, '')
}

/** Gives a directory a short path for as long as `work` takes. */
function deeper(full: Buffer, work: (dir: Buffer) => void): void {
  if (full.length < LONG) {
    work(full)
    return
  }
  const descriptor = openQuietly(full)
  if (descriptor === null) return
  try {
    work(Buffer.from(`/proc/self/fd/${descriptor}`))
  } finally {
    closeSync(descriptor)
  }
}

/** What goes away meanwhile counts as not there. */
function listEntries(dir: Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(dir, { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return []
  }
}

function statQuietly(full: Buffer): Stats | null {
  try {
    return lstatSync(full)
  } catch {
    return null
  }
}

function openQuietly(full: Buffer): number | null {
  try {
    return openSync(full, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch {
    return null
  }
}
