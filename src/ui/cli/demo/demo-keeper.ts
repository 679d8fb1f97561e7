// The process that keeps a demo's directory: it makes it, says where it is, and waits until its starter is done or
// dead, which closes its standard input in both cases. Then it ends the demo's agents and deletes what it has made, and
// nothing else.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agency } from '../../../core/facade/agency.ts'
import { isActive } from '../../../core/model/invocation.ts'
import type { CommandConsole } from '../../person/console.ts'

export const demoPlaceIn = (dir: string) => ({
  repository: join(dir, 'greeter'),
  data_dir: join(dir, 'data'),
})

export async function keepDemo(
  { stdin, stdout, env, openAgency }: CommandConsole,
  keep: boolean,
): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agency-demo-')))
  const over = finished(stdin.resume(), { writable: false })
  // There may be nobody left to read it.
  stdout.on('error', () => {})
  stdout.write(`${dir}\n`)
  await over.catch(() => {})
  const { repository, data_dir } = demoPlaceIn(dir)
  const data = { ...env, AGENCY_DATA_DIR: data_dir }
  if (existsSync(data_dir)) await persist(async () => endAgents(await openAgency(repository, data)))
  if (!keep) await persist(() => deleteAll(dir))
}

const TRIES = 20
/** Milliseconds. */
const PAUSE = 100

/**
 * Tries again, because an agent may end while it is being ended, and what was running when the demo was killed may
 * still write.
 */
async function persist(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(PAUSE)
    }
  }
}

async function endAgents(agency: Agency): Promise<void> {
  const { invocations } = await agency.listInvocations({ all: true })
  const active = invocations.filter(({ record }) => isActive(record))
  const ends = await Promise.allSettled(
    active.map(({ record }) => agency.killInvocation(record.invocation_id)),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function deleteAll(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true })
  await sleep(PAUSE)
  if (existsSync(dir)) throw new Error(`something writes to ${dir}`)
}
