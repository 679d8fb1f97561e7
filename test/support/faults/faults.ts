// Makes system calls of the built program, and of every git and host that it starts, fail: by a small library that is
// preloaded. It is compiled for each test file, so without a C compiler, or elsewhere than on Linux, there is none.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

export const FAULTY_CALLS = ['open', 'write', 'rename', 'mkdir', 'link', 'symlink', 'fsync'] as const
export type FaultyCall = (typeof FAULTY_CALLS)[number]

/** What a file system or the kernel may answer to any of them. */
export const FAULTS = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'] as const

export interface Fault {
  readonly call: FaultyCall
  readonly errno: keyof typeof constants.errno
  /** Part of the path of what is asked for. */
  readonly below: string
  /** Which of the calls of all processes fails; 0 for each. */
  readonly nth: number
}

export interface FaultLibrary {
  /** The environment in which it happens. */
  env(fault: Fault): Record<string, string>
  /** How many such calls there were in the last environment. */
  counted(): number
  remove(): void
}

/** null where it cannot be compiled. */
export function compileFaults(): FaultLibrary | null {
  if (process.platform !== 'linux') return null
  const dir = mkdtempSync(join(tmpdir(), 'agency-faults-'))
  const [library, state] = [join(dir, 'fault.so'), join(dir, 'state')]
  const source = 'test/support/faults/fault.c'
  const built = spawnSync('cc', ['-shared', '-fPIC', '-w', '-o', library, source, '-ldl'])
  const remove = (): void => rmSync(dir, { recursive: true, force: true })
  if (built.status !== 0) {
    remove()
    return null
  }
  return {
    env: ({ call, errno, below, nth }) => {
      writeFileSync(state, Buffer.alloc(8))
      return {
        LD_PRELOAD: library,
        FAULT_CALL: call,
        FAULT_ERRNO: String(constants.errno[errno]),
        FAULT_BELOW: below,
        FAULT_NTH: String(nth),
        FAULT_STATE: state,
      }
    },
    counted: () => Number(readFileSync(state).readBigUInt64LE()),
    remove,
  }
}
