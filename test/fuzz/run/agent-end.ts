// Waits for agents without asking agency, so that a case begins its next step when the last one is over.

import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CasePlace } from './place.ts'
import { repositoryDir } from './running.ts'

const PAUSE = 25
/** Tries. An agent that waits for something that it made itself is left alone then. */
const PATIENCE = 600

/** Until the last line of an agent's script has been done. */
export async function untilThere(path: string): Promise<void> {
  for (let tries = 0; tries < PATIENCE && !existsSync(path); tries++) await delay(PAUSE)
}

/** Until its record says that it has ended, or its host is gone, or the record can no longer be read. */
export async function untilEnded(place: CasePlace, id: string): Promise<void> {
  const path = join(repositoryDir(place) ?? '', 'invocations', id, 'meta.json')
  for (let tries = 0; tries < PATIENCE && runs(path); tries++) await delay(PAUSE)
}

function runs(record: string): boolean {
  try {
    if (!lstatSync(record).isFile() || lstatSync(record).size > 100_000) return false
    const { finished_at, host } = JSON.parse(readFileSync(record, 'utf8'))
    return finished_at === null && (host === null || existsSync(`/proc/${host.pid}`))
  } catch {
    return false
  }
}
