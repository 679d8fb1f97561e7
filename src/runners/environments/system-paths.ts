// What of this machine is shown inside of a box: programs, libraries and settings that any user may read, and the
// directories of the runner's own program. Never the person's home as a whole.

import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import { isDirectoryItself, lstatIfThere } from '../../core/doors/system/files.ts'
import { isWithin } from '../../core/model/path-safety.ts'

const ROOT_NAMES = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/gnu',
]

export interface SystemPaths {
  readonly shown: readonly string[]
  /** Symbolic links of the root, such as /bin, with what they say. */
  readonly links: readonly (readonly [path: string, target: string])[]
  /** Below what is shown. */
  readonly hidden: readonly HiddenPath[]
  readonly kernel: KernelPaths
}

/**
 * What a new /proc has beside processes. Bubblewrap leaves some of it writable for root, who could have the kernel start
 * programs outside by `/proc/sys/kernel/core_pattern`.
 */
export interface KernelPaths {
  readonly shown: readonly string[]
  readonly hidden: readonly string[]
}

export interface HiddenPath {
  readonly path: string
  readonly directory: boolean
}

export function systemPaths(): SystemPaths {
  const there = ROOT_NAMES.filter((path) => lstatIfThere(path) !== null)
  const links = there.filter((path) => lstatIfThere(path)?.isSymbolicLink())
  return {
    shown: there.filter((path) => !links.includes(path)),
    links: links.map((path) => [path, readlinkSync(path)] as const),
    hidden: hiddenIn('/etc'),
    kernel: kernelPaths(),
  }
}

const MAY_WRITE = 0o222

function kernelPaths(): KernelPaths {
  const entries = readdirSync('/proc', { withFileTypes: true }).filter(
    (entry) => !/^\d/.test(entry.name) && !entry.isSymbolicLink(),
  )
  const modeOf = (name: string): number => lstatIfThere(`/proc/${name}`)?.mode ?? 0
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  const secret = files.filter((name) => (modeOf(name) & ALL_MAY_READ) === 0 || KEYS.includes(name))
  const written = files.filter((name) => !secret.includes(name) && (modeOf(name) & MAY_WRITE) !== 0)
  const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return {
    shown: [...directories, ...written].map((name) => `/proc/${name}`),
    hidden: secret.map((name) => `/proc/${name}`),
  }
}

/** Everybody may read them, but they tell of others. */
const KEYS = ['keys', 'key-users', 'timer_list', 'sched_debug']

const ALL_MAY_READ = 0o004
const ALL_MAY_ENTER = 0o005

/** What only some users may read. Whoever runs as root would otherwise show it to the agent, which needs none of it. */
function hiddenIn(directory: string): HiddenPath[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return []
    const path = join(directory, entry.name)
    const mode = lstatIfThere(path)?.mode ?? 0
    if (!entry.isDirectory()) return (mode & ALL_MAY_READ) === 0 ? [{ path, directory: false }] : []
    return (mode & ALL_MAY_ENTER) === ALL_MAY_ENTER ? hiddenIn(path) : [{ path, directory: true }]
  })
}

export interface ToolsRequest {
  /** The runner's program, as it was found. */
  readonly executable: string
  /** The variable. */
  readonly path: string
  /** Directories that must not be shown as a whole, nor what lies in the second: the home, and all that we keep. */
  readonly home: string
  readonly data_dir: string
}

/** Directories outside of the system's own in which the runner's program, and those on PATH, lie. Outermost first. */
export function toolPaths({ executable, path, home, data_dir }: ToolsRequest): string[] {
  const onPath = path.split(delimiter).filter((entry) => isAbsolute(entry) && isRealDirectory(entry))
  const found = [...onPath.flatMap(withPackages), dirname(executable), installedAt(executable)]
  const isSystem = (one: string): boolean => ROOT_NAMES.some((root) => isWithin(one, root))
  const holdsOurs = (one: string): boolean =>
    isWithin(home, one) || isWithin(data_dir, one) || isWithin(one, data_dir)
  return [...new Set(found)].filter((one) => !isSystem(one) && !holdsOurs(one)).sort()
}

function isRealDirectory(path: string): boolean {
  try {
    return isDirectoryItself(realpathSync(path))
  } catch {
    return false
  }
}

/** Beside a `bin` of node's lie the packages that its programs are links into. */
function withPackages(path: string): string[] {
  const packages = join(dirname(path), 'lib', 'node_modules')
  return path.endsWith(`${sep}bin`) && isRealDirectory(packages) ? [path, packages] : [path]
}

/** Where a link leads to: the directory of packages if it is one of them, else its own. */
function installedAt(executable: string): string {
  const real = realpathSync(executable)
  const parts = real.split(sep)
  const packages = parts.indexOf('node_modules')
  return packages === -1 ? dirname(real) : parts.slice(0, packages + 1).join(sep)
}
