// The README's tables are the code's tables (`npm run docs` writes them anew), and the map of src/ leads to what is there.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { checkpointConfigSchema } from '../src/core/model/checkpoint-settings.ts'
import { configSchema, customRunnerSchema, uiSchema } from '../src/core/model/config.ts'
import { COMMANDS } from '../src/ui/cli/commands/commands.ts'
import { BINDINGS } from '../src/ui/screen/bindings.ts'
import { resolveBindings } from '../src/ui/screen/resolve-bindings.ts'
import { bundleContents } from './support/run/bundle-contents.ts'
import { renewTables } from './support/run/readme-tables.ts'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')
const MAP = join(ROOT, 'src', 'README.md')

test('the tables of the README are those of the code', () => {
  const renewed = renewTables(readFileSync(README, 'utf8'))
  if (process.env['UPDATE_DOCS']) writeFileSync(README, renewed)
  expect(readFileSync(README, 'utf8')).toBe(renewed)
})

test('every key of the configuration stands in the README', () => {
  const text = readFileSync(README, 'utf8')
  for (const key of Object.keys(configSchema.def.shape)) expect(text).toContain(key)
  for (const key of Object.keys(checkpointConfigSchema.def.shape)) expect(text).toContain(`${key} =`)
  for (const key of Object.keys(customRunnerSchema.def.shape)) expect(text).toContain(key)
  for (const key of Object.keys(uiSchema.def.shape)) expect(text).toContain(key)
})

test('the configuration that the README shows is valid', () => {
  const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(readFileSync(README, 'utf8')) ?? []
  const config = configSchema.parse(parse(example))
  expect(resolveBindings(BINDINGS, config.keys)).not.toEqual(BINDINGS)
})

test('every command that the README types exists', () => {
  const text = readFileSync(README, 'utf8').replace(/<!-- commands -->[\s\S]*<!-- \/commands -->/, '')
  const known = COMMANDS.map(({ path }) => path.join(' '))
  const typed = [...text.matchAll(/(?:^|[`(])agency ((?:worktree|agent|checkpoint) [a-z]+|[a-z]+)/gm)].map(
    ([, words]) => words,
  )
  expect(typed.length).toBeGreaterThan(10)
  for (const words of typed) expect(known).toContain(words)
})

test('every path that the map of src/ names exists', () => {
  const quoted = [...readFileSync(MAP, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  const paths = quoted.filter((text) => /^(core|runners|ui|test)\/|\.ts$/.test(text))
  const places = paths.map((path) => (path.startsWith('test/') ? path : join('src', path)))
  expect(paths.length).toBeGreaterThan(100)
  expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('the README leads to the map', () => {
  expect(readFileSync(README, 'utf8')).toContain('(src/README.md)')
})

/** The programs of the map's table, and the files that are loaded when one is started. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  command: ['src/ui/main.ts', 'src/ui/program.ts'],
  start: ['src/ui/main.ts', 'src/ui/start-program.ts'],
  dashboard: ['src/ui/main.ts', 'src/ui/screen-program.ts'],
  host: ['src/runners/host/main.ts', 'src/runners/host/run-host.ts'],
  spawner: ['src/core/doors/spawner/main.ts'],
}

test('the map has every room of src/, and the processes that load it', async () => {
  const table = [...readFileSync(MAP, 'utf8').matchAll(/^\| (`(?:core|runners|ui)\/.*) \|$/gm)]
    .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 2 + Object.keys(PROGRAMS).length)
  const rows = table.map(([names = '', , ...marks]) => ({
    rooms: [...names.matchAll(/`([^`]+)\/`/g)].map(([, room = '']) => room),
    marks,
  }))
  const rooms = rows.flatMap((row) => row.rooms)
  const roomOf = (file: string): string | undefined =>
    rooms
      .filter((room) => file.startsWith(`src/${room}/`))
      .sort((a, b) => a.length - b.length)
      .at(-1)
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', file))
  const withoutRoom = files.filter((file) => roomOf(file) === undefined)
  expect([...new Set(withoutRoom.map((file) => dirname(file)))]).toEqual([])
  const loaded = await Promise.all(
    Object.values(PROGRAMS).map(async (entries) => {
      const contents = await Promise.all(entries.map((entry) => bundleContents(entry)))
      return new Set(contents.flat().map(roomOf))
    }),
  )
  const found = rows.map(({ rooms: names }) => ({
    rooms: names,
    marks: loaded.map((known) => (names.some((name) => known.has(name)) ? '●' : '')),
  }))
  expect(rows).toEqual(found)
})
