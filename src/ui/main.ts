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
  const hostEntry = built('host.js')
  const common = { version, program: import.meta.filename, hostEntry }
  if (startsAgent(argv)) {
    const bootingHost = await boot(hostEntry)
    await loadStart().runStart(argv, { ...common, bootingHost })
  } else {
    const longLived = opensScreen(argv)
    const spawnerEntry = longLived ? built('spawner.js') : null
    await loadWhole(longLived).runProgram(argv, { ...common, spawnerEntry })
  }
}

/** What starts processes is loaded where one is started: Node takes a while for that. */
async function boot(hostEntry: string): Promise<HostProcess> {
  const { bootHost } = await import('../runners/host/boot-host.ts')
  return bootHost(hostEntry)
}

function loadStart(): typeof import('./start-program.ts') {
  return loadProgram({ path: built('start.cjs'), kept: built('start.code') })
}

/** To read what is not used takes time as well. */
function loadWhole(longLived: boolean): typeof import('./program.ts') {
  return loadProgram({ path: built('program.cjs'), kept: built(longLived ? 'screen.code' : 'command.code') })
}

/** Path of a file that was built, which lies beside this one. */
function built(name: string): string {
  return join(import.meta.dirname, name)
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
