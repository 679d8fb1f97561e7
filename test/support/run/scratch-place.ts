// Where the tests of a run make their directories: in memory where the machine has room for them there, because making
// and deleting small files is most of what many tests do. TMPDIR says otherwise.

import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Bytes; a whole run needs a tenth of it at a time. */
const ROOM = 2 ** 30

export function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return undefined
  const place = mkdtempSync(join(IN_MEMORY, 'agency-tests-'))
  const leave = (): void => rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  if (runsPrograms(place)) process.env['TMPDIR'] = place
  return leave
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

/** Containers often forbid it there. */
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
