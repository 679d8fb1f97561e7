#!/usr/bin/env node
// The way in. It answers --version before anything else is loaded.

import { join } from 'node:path'
import { version } from '../../package.json'
import { loadProgram } from '../core/effects/load-program.ts'
import type { HostProcess } from '../runners/host/boot-host.ts'

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`agency ${version}\n`)
} else void run(argv)

async function run(argv: readonly string[]): Promise<void> {
  const here = import.meta.dirname
  const hostEntry = join(here, 'host.js')
  const starts = startsAgent(argv)
  const bootingHost = starts ? await boot(hostEntry) : null
  const longLived = opensScreen(argv)
  const { runProgram } = loadProgram<typeof import('./program.ts')>({
    path: join(here, 'program.cjs'),
    kept: join(here, keptCode({ starts, longLived })),
  })
  await runProgram(argv, {
    version,
    program: import.meta.filename,
    hostEntry,
    bootingHost,
    spawnerEntry: longLived ? join(here, 'spawner.js') : null,
  })
}

/** What starts processes is loaded where one is started: Node takes a while for that. */
async function boot(hostEntry: string): Promise<HostProcess> {
  const { bootHost } = await import('../runners/host/boot-host.ts')
  return bootHost(hostEntry)
}

/** To read what is not used takes time as well. */
function keptCode({ starts, longLived }: { starts: boolean; longLived: boolean }): string {
  if (starts) return 'start.code'
  return longLived ? 'screen.code' : 'command.code'
}

/** A guess: what is not kept is compiled. */
function opensScreen([first]: readonly string[]): boolean {
  return process.stdout.isTTY && (first === undefined || first.startsWith('-') || first === 'demo')
}

/** A guess as well: a host that is not needed ends with us. */
function startsAgent(argv: readonly string[]): boolean {
  const starts = argv[0] === 'run' || (argv[0] === 'agent' && argv[1] === 'start')
  return starts && !argv.some((word) => ['-h', '--help', '--no-start'].includes(word))
}
