import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { loadProgram } from '../../../src/core/v8/load-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'agency-load-')))

function bundle(body: string): { path: string; kept: string } {
  const path = join(place, `bundle-${Math.random()}.cjs`)
  writeFileSync(path, `(function(exports,require,module,__filename,__dirname){${body}\n})`)
  return { path, kept: path.replace('.cjs', '.code') }
}

it('a bundle runs as a module does, whether code is kept or not, and whatever lies in its place', () => {
  const made = bundle("exports.where = __filename; exports.join = require('node:path').join('a', 'b')")
  const exported = { where: made.path, join: join('a', 'b') }
  expect(loadProgram(made)).toEqual(exported)
  writeFileSync(made.kept, 'no code of any kind')
  expect(loadProgram(made)).toEqual(exported)
  writeFileSync(made.kept, '')
  expect(loadProgram(made)).toEqual(exported)
})

it('what a bundle throws is thrown, at its place in the bundle', () => {
  const made = bundle("\nthrow new Error('no good')")
  const at = ((): string => {
    try {
      return String(loadProgram(made))
    } catch (error) {
      return error instanceof Error ? `${error.message} ${error.stack}` : String(error)
    }
  })()
  expect(at).toContain('no good')
  expect(at).toContain(`${made.path}:2:7`)
})

it.each([
  { path: 'program.cjs', kept: 'program.code' },
  { path: 'screen.cjs', kept: 'screen.code' },
  { path: 'host.cjs', kept: 'host.code' },
])('what the build kept of $path in $kept is taken by the node that runs it', ({ path, kept }) => {
  const look = `
    const { readFileSync } = require('node:fs')
    const [path, kept] = process.argv.slice(1)
    const options = { filename: path, cachedData: readFileSync(kept) }
    const script = new (require('node:vm').Script)(readFileSync(path, 'latin1'), options)
    console.log(script.cachedDataRejected)`
  const args = ['-e', look, resolve('dist', path), resolve('dist', kept)]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false\n')
})

it.each(['program.cjs', 'screen.cjs', 'host.cjs'])('%s is ASCII alone, as which it is read', (path) => {
  const lines = readFileSync(resolve('dist', path), 'utf8').split('\n')
  expect(lines.flatMap((line) => line.match(/.{0,40}[^\x00-\x7f].{0,40}/) ?? [])).toEqual([])
})
