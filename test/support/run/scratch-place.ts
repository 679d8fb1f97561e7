// Where the tests of a run make their directories: in memory if the machine has room for them there, because many tests
// do little else than make and delete small files. If TMPDIR is set, it is used instead. The place goes with the run.

import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWhole } from './remove-whole.ts'

const NAME = 'agency-tests-'
const IN_MEMORY = '/dev/shm'
/** Bytes. A whole run needs a tenth of this at a time. */
const ROOM = 2 ** 30

export function setup(): () => void {
  const place = makePlace()
  process.env['TMPDIR'] = place
  return () => removeWhole(place)
}

function makePlace(): string {
  if (process.env['TMPDIR'] === undefined && hasRoom()) {
    const place = mkdtempSync(join(IN_MEMORY, NAME))
    if (runsPrograms(place)) return place
    rmSync(place, { recursive: true })
  }
  return mkdtempSync(join(tmpdir(), NAME))
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

/** Containers often forbid programs to run from memory. */
function runsPrograms(place: string): boolean {
  const program = join(place, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  }
}
