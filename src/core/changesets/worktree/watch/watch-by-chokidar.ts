// For systems that the native watcher was not built for. It keeps each file in memory, so large trees cost much.

import type { OpenRaw } from './tree-watcher.ts'

/** Milliseconds in which what is told is gathered. */
const GATHER = 100

export const openChokidar: OpenRaw = async ({ tree, ignored, onPaths, onFailed }) => {
  const { watch } = await import('chokidar')
  const apart = new Set(ignored)
  const watcher = watch(tree, {
    ignored: (path) => apart.has(path),
    ignoreInitial: true,
    followSymlinks: false,
  })
  let gathered = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    timer = null
    const paths = [...gathered]
    gathered = new Set()
    onPaths(paths)
  }
  watcher.on('all', (_event, path) => {
    gathered.add(path)
    timer ??= setTimeout(flush, GATHER).unref()
  })
  watcher.on('error', onFailed)
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return {
    close: async () => {
      if (timer !== null) clearTimeout(timer)
      await watcher.close()
    },
  }
}
