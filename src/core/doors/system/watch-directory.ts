// Watches one directory by the system's own watch. chokidar would look at every entry again after each change: with ten
// thousand invocations that is a third of a second of CPU for each new one.

import { lstatSync, watch } from 'node:fs'
import type { DirectoryWatch, DirectoryWatcher } from '../effects.ts'
import { isErrno } from './files.ts'

const GONE: DirectoryWatch = { close: () => {} }

/** Watches a real directory only: an agent may have put a link to anywhere in its place. */
export const watchDirectory: DirectoryWatcher = (path, { changed, failed }) => {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return GONE
    const watcher = watch(path, { persistent: false }, (_, name) => changed(name))
    watcher.on('error', failed)
    return { close: () => watcher.close() }
  } catch (error) {
    if (!isErrno(error, 'ENOENT') && !isErrno(error, 'ENOTDIR')) failed(error)
    return GONE
  }
}
