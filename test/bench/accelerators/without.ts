// Builds the program without one accelerator. Its modules are replaced by what anybody would have written first, so the
// program itself needs no switches.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { writeBundles } from '../../build/bundles.ts'
import { keepCode } from '../../build/keep-code.ts'

const STAND_INS = 'test/bench/accelerators/stand-ins'

/** For each accelerator, its modules in src and their stand-ins. */
const LACKING = {
  'the screen program': { 'src/ui/screen-program.ts': 'screen-program.ts' },
  'the spawner': { 'src/ui/long-lived.ts': 'long-lived.ts' },
  'index halves': { 'src/core/changesets/worktree/make/check-out-tree.ts': 'check-out-tree.ts' },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type Lacking = keyof typeof LACKING

/** In node_modules, so that these builds find what is installed, as those in dist/ do. */
const PLACE = resolve('node_modules', '.cache', 'agency', `without-${process.pid}`)
process.on('exit', () => rmSync(PLACE, { recursive: true, force: true }))

/** Returns the path of the built command line. Each build is made once. */
export async function buildWithout(accelerator: Lacking): Promise<string> {
  const dist = join(PLACE, accelerator.replaceAll(' ', '-'))
  const program = join(dist, 'agency.js')
  if (existsSync(program)) return program
  mkdirSync(dist, { recursive: true })
  cpSync('dist/package.json', join(dist, 'package.json'))
  await writeBundles(dist, [standIn(LACKING[accelerator])])
  await keepCode(dist)
  return program
}

/** Returns the path of a copy of the program, without the code that V8 compiled when it was built. */
export function copyWithoutCode(): string {
  const dist = join(PLACE, 'kept-code')
  rmSync(dist, { recursive: true, force: true })
  cpSync('dist', dist, { recursive: true, filter: (path) => !path.endsWith('.code') })
  return join(dist, 'agency.js')
}

function standIn(modules: Readonly<Record<string, string>>): Plugin {
  const places = new Map(Object.entries(modules).map(([path, name]) => [resolve(path), name]))
  const missing = [...places.keys()].filter((path) => !existsSync(path))
  if (missing.length > 0) throw new Error(`no such module: ${missing.join(', ')}`)
  return {
    name: 'stand-in',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const name = places.get(path)
        if (name === undefined) return undefined
        const place = resolve(STAND_INS, name)
        return { contents: readFileSync(place, 'utf8'), loader: 'ts', resolveDir: dirname(place) }
      })
    },
  }
}
