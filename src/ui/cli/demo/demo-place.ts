// Where a demo takes place: a repository and a data directory, kept by a process of their own. That process deletes
// them as soon as the demo has ended in any way, so nothing is left even if we are killed.

import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type PipedChild, startPiped } from '../../../core/doors/spawner/start-piped.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { CommandConsole } from '../../person/console.ts'
import { makeVisible } from '../../text/visible.ts'
import { KEEP_DEMO } from '../process.ts'
import { demoPlaceIn } from './demo-keeper.ts'
import { makeDemoRepository } from './demo-repository.ts'

export interface DemoPlace {
  readonly repository: string
  readonly data_dir: string
  /** The person's console, but with the demo's repository and data. */
  readonly console: CommandConsole
  /** Resolves when the demo's agents have ended and its directory is deleted, unless it is to be kept. */
  readonly end: () => Promise<void>
}

export async function openDemoPlace(console: CommandConsole, keep: boolean): Promise<DemoPlace> {
  // Ctrl-C and a closed terminal are our business, not the keeper's.
  const keeper = startPiped({
    argv: [process.execPath, console.program, KEEP_DEMO, ...(keep ? ['--keep'] : [])],
    cwd: console.cwd,
    env: console.env,
  })
  const closed = once(keeper, 'exit')
  const complaint = text(keeper.stderr)
  const end = async (): Promise<void> => {
    keeper.stdin.end()
    const [status] = await closed
    if (status !== 0) throw new AgencyError('E_INTERNAL', `the demo: ${makeVisible(await complaint)}`)
  }
  const dir = await firstLine(keeper)
  if (dir === null) await end()
  const { repository, data_dir } = demoPlaceIn(dir ?? '')
  makeDemoRepository(repository, console.env)
  const env = { ...console.env, AGENCY_DATA_DIR: data_dir }
  return { repository, data_dir, console: { ...console, env, cwd: repository }, end }
}

/** null if it ends without having written a line. */
async function firstLine({ stdout }: PipedChild): Promise<string | null> {
  for await (const line of createInterface({ input: stdout })) return line
  return null
}
