// Tells which records changed, by watching the directories that they lie in: never a sandbox's tree, never a log. One
// watch for each record that is followed, none for the thousands that were closed long ago.

import type * as z from 'zod/mini'
import type { DirectoryWatch, DirectoryWatcher } from '../doors/effects.ts'
import { type InvocationId, invocationIdSchema, type WorktreeId, worktreeIdSchema } from '../model/ids.ts'
import type { Following, RecordChange, RecordListener, RecordWatch } from '../model/record-watch.ts'
import { STATUS_FILE } from './noted-status.ts'
import type { RepoPaths } from './paths.ts'

/** Milliseconds. Changes that come close together are told together. */
const GATHER_MS = 40
/** Milliseconds. If the system cannot watch, everything is said to have changed this often. */
const POLL_MS = 5_000
/** The system has a limited number of watches, and other programs need some too. */
const MOST_FOLLOWED = 2_000

const META = 'meta.json'

/** In a sandbox: the directory where its runner may report its state, and the directory above that. */
export interface StatusDirs {
  readonly marker: string
  readonly state: string
}

export interface WatchedRecords {
  readonly paths: RepoPaths
  readonly statusDirs: (id: InvocationId) => StatusDirs
  readonly watchDirectory: DirectoryWatcher
}

export function watchRecordFiles(watched: WatchedRecords, listener: RecordListener): RecordWatch {
  const { paths, watchDirectory } = watched
  const news = gather((change) => listener.changed(change))
  let polling: NodeJS.Timeout | null = null
  const watches = openWatches(watchDirectory, (error) => {
    if (polling !== null) return
    watches.close()
    polling = setInterval(() => news.everything(), POLL_MS).unref()
    listener.slowed(error)
    news.everything()
  })
  const targets = describeTargets(watched, watches, news)
  watches.put([paths.dir, targets.top])
  targets.top(null)
  return {
    follow: (following) => {
      if (polling === null) watches.keepOnly(targets.of(following))
    },
    close: async () => {
      if (polling !== null) clearInterval(polling)
      watches.close()
      news.close()
    },
  }
}

type Heard = (name: string | null) => void
type Targets = ReadonlyMap<string, Heard>
type WatchedEntry = readonly [dir: string, heard: Heard]

/** For each directory, what a name that is heard in it means. */
function describeTargets({ paths, statusDirs }: WatchedRecords, watches: Watches, news: News) {
  const invocation = (id: InvocationId): WatchedEntry => [
    paths.invocation(id).dir,
    onName([META, STATUS_FILE], () => news.invocation(id)),
  ]
  const worktree = (id: WorktreeId): WatchedEntry => [
    paths.worktree(id).dir,
    onName([META], () => news.worktree(id)),
  ]
  const collections = new Map<string, Heard>([
    [
      paths.invocationsDir,
      onId(invocationIdSchema, news, (id) => {
        watches.put(invocation(id))
        news.invocation(id)
      }),
    ],
    [
      paths.worktreesDir,
      onId(worktreeIdSchema, news, (id) => {
        watches.put(worktree(id))
        news.worktree(id)
      }),
    ],
  ])
  const top: Heard = (name) => {
    if (name === null || paths.operations.endsWith(`/${name}`)) news.operations()
    for (const [dir, heard] of collections) {
      if (name !== null && !dir.endsWith(`/${name}`)) continue
      watches.put([dir, heard])
      news.everything()
    }
  }
  const of = ({ worktrees, open, active }: Following): Targets =>
    new Map([
      [paths.dir, top],
      ...collections,
      ...active.flatMap((id) => reportedStatus(statusDirs(id), watches, () => news.invocation(id))),
      ...worktrees.map(worktree),
      ...open.map(invocation),
    ])
  return { top, of }
}

/** The agent itself may make the status file's directory later, so the directory above it is watched too. */
function reportedStatus(
  { marker, state }: StatusDirs,
  watches: Watches,
  changed: () => void,
): WatchedEntry[] {
  const status: WatchedEntry = [state, onName([STATUS_FILE], changed)]
  const begun = (): void => {
    watches.put(status)
    changed()
  }
  return [status, [marker, onName(['state'], begun)]]
}

const onName =
  (wanted: readonly string[], then: () => void): Heard =>
  (name) => {
    if (name === null || wanted.includes(name)) then()
  }

function onId<Id>(schema: z.ZodMiniType<Id>, news: News, then: (id: Id) => void): Heard {
  return (name) => {
    const id = schema.safeParse(name)
    if (name === null) news.everything()
    else if (id.success) then(id.data)
  }
}

type Watches = ReturnType<typeof openWatches>

/** Watches each directory once. If one of them fails, all are closed. */
function openWatches(watchDirectory: DirectoryWatcher, failed: (error: unknown) => void) {
  const open = new Map<string, DirectoryWatch>()
  /** Directories of new records: they are kept until somebody had the chance to follow them. */
  const unasked = new Set<string>()
  let dead = false
  const start = ([dir, heard]: WatchedEntry): void => {
    if (dead) return
    open.get(dir)?.close()
    open.set(dir, watchDirectory(dir, { changed: heard, failed }))
  }
  const put = (entry: WatchedEntry): void => {
    unasked.add(entry[0])
    start(entry)
  }
  const close = (): void => {
    dead = true
    for (const watch of open.values()) watch.close()
    open.clear()
  }
  const keepOnly = (targets: Targets): void => {
    for (const [dir, watch] of open) {
      if (targets.has(dir) || unasked.has(dir)) continue
      watch.close()
      open.delete(dir)
    }
    for (const entry of [...targets].slice(0, MOST_FOLLOWED)) {
      unasked.delete(entry[0])
      if (!open.has(entry[0])) start(entry)
    }
  }
  return { put, close, keepOnly }
}

type News = ReturnType<typeof gather>

function gather(tell: (change: RecordChange) => void) {
  let invocations = new Set<InvocationId>()
  let worktrees = new Set<WorktreeId>()
  let operations = false
  let everything = false
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const flush = (): void => {
    const change = { everything, operations, invocations: [...invocations], worktrees: [...worktrees] }
    invocations = new Set()
    worktrees = new Set()
    operations = false
    everything = false
    timer = null
    tell(change)
  }
  const soon = (): void => {
    if (!closed) timer ??= setTimeout(flush, GATHER_MS)
  }
  return {
    invocation: (id: InvocationId) => {
      invocations.add(id)
      soon()
    },
    worktree: (id: WorktreeId) => {
      worktrees.add(id)
      soon()
    },
    operations: () => {
      operations = true
      soon()
    },
    everything: () => {
      everything = true
      soon()
    },
    close: () => {
      closed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
