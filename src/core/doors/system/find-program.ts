// Finding a program as a shell would, without asking a shell.

import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { searchPath } from './search-path.ts'

/**
 * The absolute path of `program`: a name on PATH, an absolute path, or one that begins with `~/`. null if there is
 * none.
 */
export function findProgram(program: string, env: NodeJS.ProcessEnv): string | null {
  if (program.startsWith('~/')) return ifExecutable(join(env['HOME'] ?? homedir(), program.slice(2)))
  if (program.includes('/')) return isAbsolute(program) ? ifExecutable(program) : null
  const directories = searchPath(env).split(delimiter)
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
