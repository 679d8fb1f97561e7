#!/usr/bin/env node
// The way in. It answers --version before anything else is loaded.

import { join } from 'node:path'
import { version } from '../../package.json'
import { loadProgram } from '../core/effects/load-program.ts'

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`agency ${version}\n`)
} else {
  const here = import.meta.dirname
  const { runProgram } = loadProgram<typeof import('./program.ts')>({
    path: join(here, 'program.cjs'),
    kept: join(here, opensScreen(argv) ? 'screen.code' : 'command.code'),
  })
  void runProgram(argv, {
    version,
    program: import.meta.filename,
    hostEntry: join(here, 'host.js'),
  })
}

/** A guess: what is not kept is compiled. */
function opensScreen([first]: readonly string[]): boolean {
  return process.stdout.isTTY && (first === undefined || first.startsWith('-') || first === 'demo')
}
