// What the map of src/ names is there, and its table of rooms says truly which processes load a file.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLES } from './build/bundles.ts'
import { bundleContents } from './support/run/bundle-contents.ts'

const ROOT = join(import.meta.dirname, '..')
const MAP = join(ROOT, 'src', 'README.md')

test('every path that it names exists', () => {
  const quoted = [...readFileSync(MAP, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  const paths = quoted.filter((text) => /^(core|runners|ui|test)\/|\.ts$/.test(text))
  const places = paths.map((path) => (path.startsWith('test/') ? path : join('src', path)))
  expect(paths.length).toBeGreaterThan(100)
  expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** The programs of the map's table, and the source files that each is built from. The first two are both `agency`. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  command: ['src/ui/main.ts', 'src/ui/program.ts'],
  dashboard: ['src/ui/main.ts', 'src/ui/screen-program.ts'],
  host: ['src/runners/host/main.ts', 'src/runners/host/run-host.ts'],
  spawner: ['src/core/doors/spawner/main.ts'],
}

test('its programs are all that the build makes of our files', () => {
  const built = BUNDLES.map(({ source }) => source).filter((source) => source.startsWith('src/'))
  expect([...new Set(Object.values(PROGRAMS).flat())].sort()).toEqual(built.sort())
})

test('it has every room of src/, and exactly the processes that load it', async () => {
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
