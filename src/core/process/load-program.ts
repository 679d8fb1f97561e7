// Runs one of our bundles from what V8 compiled of it before: reading and compiling it anew takes longer than anything
// that a command does. The code is kept beside the bundle when the program is built. Where it is missing, or another
// Node runs, the bundle is compiled as any other: slower, and the same.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** Set while the program is built: each process adds at its end what it has compiled to what is kept. */
const KEEPING = 'AGENCY_KEEP_CODE'

/** What the build makes of the bundle: to wrap it here would copy all of it. */
type Wrapped = (...args: readonly [object, NodeJS.Require, object, string, string]) => void

export interface Bundle {
  /** Of a function with the arguments of a CommonJS module, all of it ASCII. */
  readonly path: string
  /** Of what was compiled of it. */
  readonly kept: string
}

/** Returns the bundle's exports. Throws what the bundle throws. */
export function loadProgram<Exports extends object>({ path, kept }: Bundle): Exports {
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData: readKept(kept),
  })
  if (keepsCode()) process.once('exit', () => keep(script, kept))
  const module = { exports: {} as Exports }
  const run: Wrapped = script.runInThisContext()
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

function keep(script: Script, path: string): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, script.createCachedData())
  renameSync(part, path)
}
