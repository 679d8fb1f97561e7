// The process that keeps a demo's directory: makes it, says where it is, and waits until whoever started it is done or
// dead, which closes its standard input either way. Then it ends the demo's agents and deletes what it made, and nothing else.

import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agency } from '../../core/agency.ts'
import { isActive } from '../../core/model/invocation.ts'
import type { Console } from './console.ts'

export const placeIn = (dir: string) => ({ repository: join(dir, 'greeter'), data_dir: join(dir, 'data') })

export async function keepDemo({ stdin, stdout, env, openAgency }: Console, keep: boolean): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agency-demo-')))
  const over = finished(stdin.resume(), { writable: false })
  // Nobody may be left to read it.
  stdout.on('error', () => {})
  stdout.write(`${dir}\n`)
  await over.catch(() => {})
  const { repository, data_dir } = placeIn(dir)
  const open = () => openAgency(repository, { ...env, AGENCY_DATA_DIR: data_dir })
  // Again while something that was under way when the demo was killed still writes there.
  for (let round = 0; existsSync(dir) && round < ROUNDS; round++) {
    if (existsSync(data_dir)) await endAgents(await open())
    if (keep) return
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: PAUSE })
    await sleep(PAUSE)
  }
}

const ROUNDS = 20
/** Milliseconds. */
const PAUSE = 100

async function endAgents(agency: Agency): Promise<void> {
  const { invocations } = await agency.listInvocations({ all: true })
  const active = invocations.filter(({ record }) => isActive(record))
  await Promise.all(active.map(({ record }) => agency.killInvocation(record.invocation_id)))
}
