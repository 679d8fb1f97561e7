// The core's door to hosts: starts them, ends their runners, types into their terminals and joins them. The code for
// that is loaded when it is first needed, because the first frame of a dashboard needs none of it.

import type { HostDoor } from '../../core/model/runner.ts'

/** `hostEntryPath` is the bundled dist/host.js. */
export function hostDoor(hostEntryPath: string): HostDoor {
  return {
    boot: async () => {
      const [{ bootHost }, { pendingHost }] = await Promise.all([
        import('./boot-host.ts'),
        import('./pending-host.ts'),
      ])
      return pendingHost(bootHost(hostEntryPath))
    },
    end: async (...order) => (await import('./talk-to-host.ts')).endRunner(...order),
    send: async (...order) => (await import('./talk-to-host.ts')).sendInput(...order),
    attach: async (...order) => (await import('./talk-to-host.ts')).attachToHost(...order),
  }
}
