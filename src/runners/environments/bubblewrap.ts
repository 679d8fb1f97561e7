// The arguments of bubblewrap for one run. What is not named here is not there at all inside: not the person's home, other
// sandboxes, their repositories, /run, /var or the sockets in them. Pure.

import type { SystemPaths } from './system-paths.ts'

export interface BubblewrapPlace {
  /** Absolute. */
  readonly bubblewrap: string
  readonly system: SystemPaths
  /** The home of this run, and what it is called inside. */
  readonly home: { readonly outside: string; readonly inside: string }
  /** Read-only, in the home or elsewhere. */
  readonly shown: readonly string[]
  /** Read-only, under another path. */
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly writable: readonly string[]
  /** Below what is writable: these cannot be. */
  readonly fixed: readonly string[]
  readonly network: boolean
  /** The Unix socket of the proxy, if there is one. */
  readonly proxy: string | null
  readonly cwd: string
}

const OWN_PLACES = [
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  ...['/tmp', '/run', '/var/tmp'].flatMap((path) => ['--tmpfs', path]),
]

/** The name spaces, and in them the system alone: what every box has. */
export const frameArguments = (bubblewrap: string, system: SystemPaths): [string, ...string[]] => [
  bubblewrap,
  '--unshare-all',
  '--die-with-parent',
  ...['--cap-drop', 'ALL'],
  ...each('--ro-bind', system.shown),
  ...system.links.flatMap(([path, target]) => ['--symlink', target, path]),
  ...system.hidden.flatMap(({ path, directory }) =>
    directory ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path],
  ),
  ...OWN_PLACES,
  ...each('--ro-bind', system.kernel.shown),
  ...system.kernel.hidden.flatMap((path) => ['--ro-bind', '/dev/null', path]),
]

/** To be followed by the program and its arguments. */
export function bubblewrapArguments(place: BubblewrapPlace): [string, ...string[]] {
  const { bubblewrap, system, home, cwd } = place
  return [
    ...frameArguments(bubblewrap, system),
    ...(place.network ? ['--share-net'] : []),
    ...['--bind', home.outside, home.inside],
    ...each('--ro-bind', place.shown),
    ...place.moved.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...each('--bind', place.writable),
    ...each('--ro-bind-try', place.fixed),
    ...(place.proxy === null ? [] : ['--bind', place.proxy, PROXY_INSIDE]),
    ...['--remount-ro', '/', '--chdir', cwd, '--'],
  ]
}

/** Where the proxy's socket is inside. */
export const PROXY_INSIDE = '/run/agency-proxy'

const each = (option: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => [option, path, path])
