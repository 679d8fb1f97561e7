// Finding a program as a shell would, without asking a shell.

import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'

const DEFAULT_PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/**
 * The absolute path of `program`: a name on PATH, an absolute path, or one that begins with `~/`. Null where there is
 * none. Relative entries of PATH are passed over: they would run whatever a repository puts there.
 */
export function findProgram(program: string, env: NodeJS.ProcessEnv): string | null {
  if (program.startsWith('~/')) return ifExecutable(join(env['HOME'] ?? homedir(), program.slice(2)))
  if (program.includes('/')) return isAbsolute(program) ? ifExecutable(program) : null
  const directories = (env['PATH'] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute)
  return directories.map((directory) => join(directory, program)).find(isExecutable) ?? null
}

const ifExecutable = (path: string): string | null => (isExecutable(path) ? path : null)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
