// From a planned fault to how a verb is started so that it strikes. What this machine cannot do is left out.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from '../plan/fault.ts'
import type { CasePlace } from '../run/place.ts'

export interface ArmedFault {
  /** Goes before the program. */
  readonly wrapper: readonly string[]
  /** For node, before the program's own. */
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** After the verb; says whether it struck, if that can be known. */
  disarm(): boolean
}

const NONE: ArmedFault = { wrapper: [], arguments: [], env: {}, disarm: () => false }

const FAULTS = join('test', 'fuzz', 'faults')

let library: string | null | undefined

/** Null if there is no compiler. */
function faultLibrary(): string | null {
  if (library !== undefined) return library
  const place = mkdtempSync(join(tmpdir(), 'fuzz-library-'))
  process.on('exit', () => rmSync(place, { recursive: true, force: true }))
  const built = join(place, 'faults.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', built, join(FAULTS, 'faults.c'), '-ldl'])
    library = built
  } catch {
    library = null
  }
  return library
}

export function armFault(place: CasePlace, fault: Fault | null): ArmedFault {
  if (fault === null) return NONE
  if (fault.by === 'limit') return armLimit(fault)
  if (fault.by === 'full') return fillUp(place, fault.left)
  if (fault.by === 'door') return armDoor(fault)
  const built = faultLibrary()
  return built === null ? armDoor(fault) : armLibrary(place, { fault, built })
}

type CallFault = Extract<Fault, { nth: number }>

function armDoor({ nth, error, lasts }: CallFault): ArmedFault {
  return {
    ...NONE,
    arguments: ['--require', join(process.cwd(), FAULTS, 'fault-door.cjs')],
    env: { FUZZ_NTH: String(nth), FUZZ_ERRNO: error ?? '', FUZZ_LASTS: lasts ? '1' : '0' },
  }
}

function armLibrary(place: CasePlace, { fault, built }: { fault: CallFault; built: string }): ArmedFault {
  const state = join(place.dir, 'fault-state')
  writeFileSync(state, Buffer.alloc(8))
  return {
    ...NONE,
    env: {
      LD_PRELOAD: built,
      FUZZ_STATE: state,
      FUZZ_BELOW: place.dir,
      FUZZ_NTH: String(fault.nth),
      FUZZ_ERRNO: String(fault.error === null ? 0 : constants.errno[fault.error]),
      FUZZ_LASTS: fault.lasts ? '1' : '0',
      FUZZ_CALLS: fault.calls,
    },
    disarm: () => {
      const struck = readFileSync(state).readUInt32LE(4) > 0
      // A host that lives on has the fault as well; from now on nothing fails there.
      writeFileSync(state, Buffer.from([0, 0, 0, 0x80, 0, 0, 0, 0]), { flag: 'r+' })
      return struck
    },
  }
}

/** Of util-linux; null where it is missing. */
let prlimit: string | null | undefined

function armLimit({ resource, amount }: Extract<Fault, { by: 'limit' }>): ArmedFault {
  prlimit ??= findProgram('prlimit')
  if (prlimit === null) return NONE
  return { ...NONE, wrapper: [prlimit, `--${resource}=${amount}`], disarm: () => true }
}

export function findProgram(name: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** Only a file system that is the case's own is filled. */
function fillUp({ dir, dataDir }: CasePlace, left: number): ArmedFault {
  const { bavail, bsize, type } = statfsSync(dataDir)
  const own = statfsSync(dir)
  if (type !== TMPFS || own.blocks === statfsSync(dataDir).blocks) return NONE
  const ballast = join(dataDir, 'ballast')
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left * 1024)))
  return {
    ...NONE,
    disarm: () => {
      rmSync(ballast, { force: true })
      return true
    },
  }
}

const TMPFS = 0x01021994
