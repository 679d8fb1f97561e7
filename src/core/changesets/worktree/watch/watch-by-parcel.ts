// One inotify watch for each directory, kept by native code: a hundred thousand files are watched within a second.

import { platform } from 'node:os'
import type { OpenRaw, RawWatcher } from './tree-watcher.ts'

type Parcel = typeof import('@parcel/watcher')
type Options = import('@parcel/watcher').Options

/**
 * The kernel's own, by platform. If none were named, a shell would be run to look for watchman, and that would be used
 * instead.
 */
const BACKENDS: Partial<Record<NodeJS.Platform, Options>> = {
  linux: { backend: 'inotify' },
  darwin: { backend: 'fs-events' },
}

/** null where the native part does not load. Throws where the system lets no more be watched. */
export async function openParcel(watch: Parameters<OpenRaw>[0]): Promise<RawWatcher | null> {
  const parcel = await load()
  if (parcel === null) return null
  const subscription = await parcel.subscribe(
    watch.tree,
    (error, events) => {
      if (error !== null) watch.onFailed(error)
      else watch.onPaths(events.map(({ path }) => path))
    },
    { ignore: [...watch.ignored], ...BACKENDS[platform()] },
  )
  return { close: () => subscription.unsubscribe() }
}

async function load(): Promise<Parcel | null> {
  try {
    const loaded: { default: Parcel } = await import('@parcel/watcher')
    return loaded.default
  } catch {
    return null
  }
}
