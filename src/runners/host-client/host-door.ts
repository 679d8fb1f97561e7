// The core's door to hosts: starts them, ends their runners, types into their terminals and joins them. The code for
// that is loaded when it is first needed, because the first frame of a dashboard needs none of it.

import type { HostDoor } from '../../core/model/runner.ts'
import type { HostProcess } from './boot-host.ts'

/** `hostEntryPath` is the bundled dist/host.js. `booting` is a host that was started in advance and is used first. */
export function hostDoor(hostEntryPath: string, booting: HostProcess | null = null): HostDoor {
  const ready = booting === null ? [] : [booting]
  return {
    boot: async () => {
      const [{ bootHost }, { pendingHost }] = await Promise.all([
        import('./boot-host.ts'),
        import('./pending-host.ts'),
      ])
      return pendingHost(ready.pop() ?? bootHost(hostEntryPath))
    },
    end: async (...order) => (await import('./talk-to-host.ts')).endRunner(...order),
    send: async (...order) => (await import('./talk-to-host.ts')).sendInput(...order),
    attach: async (...order) => (await import('./talk-to-host.ts')).attachToHost(...order),
  }
}
