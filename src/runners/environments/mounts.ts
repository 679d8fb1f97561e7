// The directories of this machine that an environment shows in its box. Pure, but for whether they are there.

import { join } from 'node:path'
import { lstatIfThere } from '../../core/doors/system/files.ts'
import type { Environment } from '../../core/model/environment.ts'
import { isWithin } from '../../core/model/path-safety.ts'

export interface Mounts {
  readonly shown: readonly string[]
  readonly writable: readonly string[]
}

interface MountPlace {
  readonly home: string
  readonly data_dir: string
}

/** By what they may do with it; paths are absolute. */
export function readMounts({ mounts = [] }: Pick<Environment, 'mounts'>, home: string): Mounts {
  const read = mounts.map((mount) => {
    const [, path = mount, mode] = /^(.*?)(?::(ro|rw))?$/.exec(mount) ?? []
    return { path: path.startsWith('~/') ? join(home, path.slice(2)) : path, writable: mode === 'rw' }
  })
  const select = (writable: boolean): string[] =>
    read.filter((mount) => mount.writable === writable).map(({ path }) => path)
  return { shown: select(false), writable: select(true) }
}

/** Why one of them cannot be shown, in words; null if all can. */
export function refuseMounts(environment: Environment, { home, data_dir }: MountPlace): string | null {
  const { shown, writable } = readMounts(environment, home)
  for (const path of [...shown, ...writable]) {
    if (!path.startsWith('/')) return `the mount ${path} is neither absolute nor below ~`
    if (lstatIfThere(path) === null) return `the mount ${path} is not there`
    if (isWithin(path, data_dir) || isWithin(data_dir, path))
      return `the mount ${path} would show what agency itself keeps`
    if (isWithin(home, path)) return `the mount ${path} would show the whole home directory`
  }
  return null
}
