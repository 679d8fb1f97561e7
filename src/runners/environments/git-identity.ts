// Who commits, for a home in which the person's own settings of git are not: their name and address and nothing else, as
// those settings may also name programs and credentials.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILE_MODE } from '../../core/doors/system/files.ts'
import { findProgram } from '../../core/doors/system/find-program.ts'
import { runOnce } from './run-once.ts'

/** Leaves a file that is there as it is. */
export async function writeIdentity(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const path = join(home, '.gitconfig')
  const git = findProgram('git', env)
  if (git === null || existsSync(path)) return
  const { out } = await runOnce([git, 'config', '--null', '--get-regexp', '^user\\.(name|email)$'], env)
  const settings = out.split('\0').flatMap((entry) => {
    const [key = '', value] = entry.split('\n', 2)
    return value === undefined ? [] : [`\t${key.slice('user.'.length)} = ${quoted(value)}\n`]
  })
  if (settings.length > 0)
    writeFileSync(path, `[user]\n${settings.join('')}`, { mode: FILE_MODE, flag: 'wx' })
}

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`
