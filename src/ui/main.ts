#!/usr/bin/env node
// The way in. It answers --version before anything else is loaded.

import { join } from 'node:path'
import { version } from '../../package.json'
import { loadProgram } from '../core/process/load-program.ts'
import type { HostProcess } from '../runners/host-client/boot-host.ts'

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`agency ${version}\n`)
} else void run(argv)

async function run(argv: readonly string[]): Promise<void> {
  const hostEntry = built('host.js')
  const common = { version, program: import.meta.filename, hostEntry }
  if (opensScreen(argv)) {
    await loadScreen().runScreen({ ...common, spawnerEntry: built('spawner.js') })
  } else {
    const bootingHost = startsAgent(argv) ? await boot(hostEntry) : null
    const spawnerEntry = mayOpenScreen(argv) ? built('spawner.js') : null
    await loadWhole().runProgram(argv, { ...common, spawnerEntry, bootingHost })
  }
}

/** What starts processes is loaded where one is started: Node takes a while for that. */
async function boot(hostEntry: string): Promise<HostProcess> {
  const { bootHost } = await import('../runners/host-client/boot-host.ts')
  return bootHost(hostEntry)
}

function loadScreen(): typeof import('./screen-program.ts') {
  return loadProgram({ path: built('screen.cjs'), kept: built('screen.code') })
}

function loadWhole(): typeof import('./program.ts') {
  return loadProgram({ path: built('program.cjs'), kept: built('program.code') })
}

/** Path of a file that was built, which lies beside this one. */
function built(name: string): string {
  return join(import.meta.dirname, name)
}

/** As nearly everybody opens it. Whatever else is typed takes a parser, which has to be loaded. */
function opensScreen(argv: readonly string[]): boolean {
  return argv.length === 0 && process.stdout.isTTY
}

/** A guess: a spawner that is not needed ends with us. */
function mayOpenScreen([first]: readonly string[]): boolean {
  return process.stdout.isTTY && (first === 'watch' || first === 'demo' || first?.startsWith('-') === true)
}

/** A guess as well: a host that is not needed ends with us. */
function startsAgent(argv: readonly string[]): boolean {
  const starts = argv[0] === 'run' || (argv[0] === 'agent' && argv[1] === 'start')
  return starts && !argv.some((word) => ['-h', '--help', '--no-start'].includes(word))
}
