// Which boxes this machine can make. What cannot be tried here is skipped, and its title says why.

import { spawnSync } from 'node:child_process'

const runs = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0

const BUBBLEWRAP = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '/bin/true']

export const hasOsBox = runs('bwrap', ...BUBBLEWRAP)
export const hasRelay = runs('socat', '-V')

/** For a title. */
export const inOsBox = hasOsBox ? 'in a box' : 'in a box (skipped: bubblewrap does not run here)'
