// Builds the programs once for a whole test run, as `npm run build` does: what is tested is what is shipped.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export function setup(): void {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { build: string; bundle: string }
  }
  const build = scripts.build.replace(/^npm run bundle -- /, '').split(' ')
  const there = build.filter(
    (word) => !/^\w+=src\//.test(word) || existsSync(join(ROOT, word.split('=')[1] ?? '')),
  )
  execFileSync('/bin/sh', ['-c', `exec ${scripts.bundle} "$@"`, 'sh', ...there], {
    cwd: ROOT,
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}` },
    stdio: 'inherit',
  })
}
