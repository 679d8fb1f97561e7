#!/usr/bin/env node
// Where the process begins: it decides which program is loaded. It answers --version before it loads any.

import { join } from 'node:path'
import { version } from '../../package.json'
import { loadProgram } from '../core/v8/load-program.ts'

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`agency ${version}\n`)
} else void runEntry(argv)

async function runEntry(argv: readonly string[]): Promise<void> {
  const common = { version, program: import.meta.filename, hostEntry: built('host.js') }
  if (opensScreen(argv)) {
    await loadScreen().runScreen({ ...common, spawnerEntry: built('spawner.js') })
  } else {
    const spawnerEntry = mayOpenScreen(argv) ? built('spawner.js') : null
    await loadWhole().runProgram(argv, { ...common, spawnerEntry })
  }
}

function loadScreen(): typeof import('./screen-program.ts') {
  return loadProgram({ path: built('screen.cjs'), kept: built('screen.code') })
}

function loadWhole(): typeof import('./program.ts') {
  return loadProgram({ path: built('program.cjs'), kept: built('program.code') })
}

/** Path of a built file: they all lie beside this one. */
function built(name: string): string {
  return join(import.meta.dirname, name)
}

/**
 * `agency` alone, which is how nearly everybody opens the dashboard. Anything else needs the parser, which takes time
 * to load.
 */
function opensScreen(argv: readonly string[]): boolean {
  return argv.length === 0 && process.stdout.isTTY
}

/** A guess. If the spawner is not needed after all, it ends with us. */
function mayOpenScreen([first]: readonly string[]): boolean {
  return process.stdout.isTTY && (first === 'watch' || first === 'demo' || first?.startsWith('-') === true)
}
