#!/usr/bin/env node
// The way in, and the only file that knows every room. It answers --version before anything else is loaded, and loads
// the rest when it is asked for.

import { fileURLToPath } from 'node:url'
import { version } from '../../package.json'

const argv = process.argv.slice(2)
const hostEntry = fileURLToPath(new URL('./host.js', import.meta.url))

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`agency ${version}\n`)
} else {
  const { runProcess } = await import('./cli/process.ts')
  await runProcess(argv, {
    version,
    program: fileURLToPath(import.meta.url),
    openAgency: async (cwd, env) => (await import('./compose.ts')).openAgency({ cwd, env, hostEntry }),
  })
}
