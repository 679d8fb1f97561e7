// Runs one of our bundles from code that V8 compiled earlier: compiling it anew takes longer than anything that a
// command does. That code is made when the program is built, and lies beside the bundle. If it is missing, or another
// Node runs, the bundle is compiled as usual: slower, with the same result.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** Set while the program is built: then each process adds, as it ends, what it has compiled to what is kept. */
const KEEPING = 'AGENCY_KEEP_CODE'

/** The build makes a bundle this function. Wrapping it here would copy the whole bundle. */
type WrappedProgram = (...args: readonly [object, NodeJS.Require, object, string, string]) => void

export interface Bundle {
  /** The bundle: a function with the arguments of a CommonJS module, all of it ASCII. */
  readonly path: string
  /** The code that V8 compiled of it. */
  readonly kept: string
}

/** Returns the bundle's exports. Throws what the bundle throws. */
export function loadProgram<Exports extends object>({ path, kept }: Bundle): Exports {
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData: readKept(kept),
  })
  if (keepsCode()) process.once('exit', () => keepCode(script, kept))
  const module = { exports: {} as Exports }
  const run: WrappedProgram = script.runInThisContext()
  run(module.exports, createRequire(path), module, path, dirname(path))
  return module.exports
}

export const keepsCode = (): boolean => process.env[KEEPING] !== undefined

function readKept(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function keepCode(script: Script, path: string): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, script.createCachedData())
  renameSync(part, path)
}
