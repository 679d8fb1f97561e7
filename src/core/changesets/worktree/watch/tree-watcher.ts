// Tells which paths of a sandbox change. It may miss some: the system's queue overflows, or a directory appears with
// others in it. Then it says that it does not know, and the listener looks at the whole tree.

import { listNames, lstatIfThere } from '../../../doors/system/files.ts'
import { openChokidar } from './watch-by-chokidar.ts'
import { openParcel } from './watch-by-parcel.ts'

export interface WatchEvents {
  /** From the tree's root; at most MOST_AT_ONCE of them. */
  readonly onPaths: (paths: readonly string[]) => void
  /** Something changed, and not everything that did is known. */
  readonly onUnknown: () => void
  /** Watching has failed; nothing more will be told. */
  readonly onFailed: (error: unknown) => void
}

export interface WatchRequest extends WatchEvents {
  readonly tree: string
  /** Directories that git ignores, from the tree's root. Called again when the ignore rules may have changed. */
  readonly listIgnored: () => Promise<readonly string[]>
}

export interface TreeWatcher {
  /** False while some changes may not be told. */
  isWhole(): boolean
  /** To be called when a change was not told: watches anew after a while. */
  renew(): void
  close(): Promise<void>
}

export interface RawWatcher {
  close(): Promise<void>
}

/** What a native watcher is told, and tells. */
export interface RawWatch {
  readonly tree: string
  /** Real paths. */
  readonly ignored: readonly string[]
  /** Real paths; null where there are too many. */
  readonly onPaths: (paths: readonly string[] | null) => void
  readonly onFailed: (error: unknown) => void
}

export type OpenRaw = (watch: RawWatch) => Promise<RawWatcher>

/** With more at once, paths are not looked at one by one: a burst of 100,000 must not hold up a terminal's input. */
export const MOST_EVENTS_AT_ONCE = 2000
/** Milliseconds between two rebuilds. */
const REBUILD_PAUSE = 30_000

/** Throws where the tree cannot be watched: the system's limit is reached. */
export async function watchTree(request: WatchRequest, open: OpenRaw = openAny): Promise<TreeWatcher> {
  const rebuild = createRebuild(request, open)
  await rebuild.now()
  return { isWhole: rebuild.isWhole, renew: rebuild.again, close: rebuild.close }
}

/** The native part may be missing for this system. */
const openAny: OpenRaw = async (watch) => {
  const parcel = await openParcel(watch)
  return parcel ?? openChokidar(watch)
}

interface Rebuild {
  now(): Promise<void>
  again(): void
  isWhole(): boolean
  close(): Promise<void>
}

/**
 * Watches anew, after a while, when ignore rules or directories change: nobody watches what lies in a new directory
 * yet.
 */
function createRebuild(request: WatchRequest, open: OpenRaw): Rebuild {
  let watcher: RawWatcher | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let whole = false
  let last = Number.NEGATIVE_INFINITY
  const now = async (): Promise<void> => {
    const ignored = await request.listIgnored()
    // The old watcher is closed first: native watchers of one tree share their knowledge, so a second one would learn
    // nothing new.
    await watcher?.close()
    if (closed) return
    whole = timer === null
    watcher = await open({
      tree: request.tree,
      ignored: ['.git', '.agency', ...ignored].map((path) => `${request.tree}/${path}`),
      onPaths: tell,
      onFailed: (error) => void fail(error),
    })
    if (closed) await watcher.close()
  }
  const fail = async (error: unknown): Promise<void> => {
    if (closed) return
    await close()
    request.onFailed(error)
  }
  const again = (): void => {
    whole = false
    if (timer !== null || closed) return
    const pause = Math.max(1000, last + REBUILD_PAUSE - performance.now())
    timer = setTimeout(() => {
      timer = null
      last = performance.now()
      now().then(request.onUnknown, fail)
    }, pause).unref()
  }
  const tell = (paths: readonly string[] | null): void => {
    if (closed) return
    const inside =
      paths === null || paths.length > MOST_EVENTS_AT_ONCE ? null : relativePaths(request.tree, paths)
    if (inside === null || inside.some((path) => changesShape(request.tree, path))) again()
    if (inside === null) request.onUnknown()
    else if (inside.length > 0) request.onPaths(inside)
  }
  const close = async (): Promise<void> => {
    closed = true
    whole = false
    if (timer !== null) clearTimeout(timer)
    await watcher?.close()
  }
  return { now, again, isWhole: () => whole, close }
}

const relativePaths = (tree: string, paths: readonly string[]): string[] =>
  paths
    .filter((path) => path.startsWith(`${tree}/`))
    .map((path) => path.slice(tree.length + 1))
    .filter((path) => !isGits(path))

/** git writes there all the time, and what happens inside a submodule is not part of the sandbox's state. */
const isGits = (path: string): boolean =>
  path === '.git' || path.startsWith('.git/') || path.includes('/.git/')

function changesShape(tree: string, path: string): boolean {
  if (path === '.gitignore' || path.endsWith('/.gitignore')) return true
  const full = `${tree}/${path}`
  if (lstatIfThere(full)?.isDirectory() !== true) return false
  return listNames(full).some((name) => lstatIfThere(`${full}/${name}`)?.isDirectory() === true)
}
