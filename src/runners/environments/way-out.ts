// The way out of a box whose network is restricted: a proxy in the host behind a Unix socket, and inside a relay to it on
// the box's own loopback, since programs know proxies by host and port.

import { rmSync } from 'node:fs'
import { openAllowProxy } from './allow-proxy.ts'
import type { BoxPlace } from './box.ts'
import { PROXY_INSIDE } from './bubblewrap.ts'
import { type HostRule, parseHostRule, ruleOfUrl } from './host-rules.ts'

export interface WayOut {
  /** The proxy's socket, outside. */
  readonly proxy: string
  /** What the probe tries on purpose is told to nobody. */
  untold<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

/** null where the network is not restricted. */
export async function openWayOut(place: BoxPlace): Promise<WayOut | null> {
  if (place.environment.outputs !== 'restricted') return null
  const path = `${place.socket_path}.out`
  rmSync(path, { force: true })
  let telling = true
  const proxy = await openAllowProxy({
    path,
    rules: rulesOf(place),
    onDenied: (denial) => {
      if (telling) place.onDenied(denial)
    },
  })
  return {
    proxy: path,
    untold: async (work) => {
      telling = false
      try {
        return await work()
      } finally {
        telling = true
      }
    },
    close: () => {
      proxy.close()
      rmSync(path, { force: true })
    },
  }
}

function rulesOf({ environment, needs, env }: BoxPlace): HostRule[] {
  const gateways = needs.host_variables.flatMap((name) => ruleOfUrl(env[name] ?? '') ?? [])
  return [...[...(environment.allow ?? []), ...needs.hosts].map(parseHostRule), ...gateways]
}

export const RELAY_PORT = 3128
const ADDRESS = `http://127.0.0.1:${RELAY_PORT}`

/**
 * For every program that knows proxies. Loopback goes there as well: what the person allows of their own machine's is not
 * on the box's. Newer versions of node's own fetch need the last one; older ones know no proxy.
 */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
      [name, ADDRESS],
      [name.toLowerCase(), ADDRESS],
    ]),
  ),
  NO_PROXY: '',
  no_proxy: '',
  NODE_USE_ENV_PROXY: '1',
}

/** As /proc/net/tcp shows a port that is listened on. */
const LISTENS = `:${RELAY_PORT.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`

/** Most looks until the relay listens; each takes about a millisecond. */
const LOOKS = 5000

const SCRIPT = `"$1" TCP-LISTEN:${RELAY_PORT},bind=127.0.0.1,reuseaddr,fork,max-children=512 UNIX-CONNECT:${PROXY_INSIDE} </dev/null >/dev/null 2>&1 &
shift; n=0
until grep -q '${LISTENS}' /proc/net/tcp; do
  n=$((n+1)); [ $n -lt ${LOOKS} ] || { echo 'agency: the way out did not open' >&2; exit 126; }
done
exec "$@"`

/** Executed inside, before the program and its arguments. */
export const relayArguments = (socat: string): readonly string[] => ['/bin/sh', '-c', SCRIPT, 'sh', socat]
