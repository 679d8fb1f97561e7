// Whoever joins a terminal goes on as if they had been there from the start. By default this is tried on the recordings
// in test/fixtures/streams and on some random streams. More of it:
//
//   JOINING_RECORDINGS=DIR   takes the recordings (.bytes, and .cast of asciicast v2) of that directory instead
//   JOINING_JOINS=N          joins so often on recordings, in all
//   JOINING_STREAMS=N        so many random streams
//   JOINING_SEED=N           other places, sizes and streams; each failure names its own

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Screen } from '../../../../src/runners/host/terminal/screen.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { type Random, seededRandom } from '../../../support/run/seeded.ts'
import {
  differences,
  joinScreenAs,
  openHostScreen,
  openWatcher,
  type Watcher,
} from '../../../support/terminal/joining.ts'
import { randomStream } from '../../../support/terminal/random-streams.ts'
import { RECORDED_STREAMS } from '../../../support/terminal/stage.ts'

const {
  JOINING_RECORDINGS = join(import.meta.dirname, '../../../fixtures/streams'),
  JOINING_JOINS = '32',
  JOINING_STREAMS = '20',
  JOINING_SEED = '1',
} = process.env
const SEED = Number(JOINING_SEED)
/** Pieces of a random stream. */
const PIECES = 150
/** In one pass. */
const JOINS_AT_ONCE = 4
const RESIZES = 4
/** Bytes. */
const LARGEST_CHUNK = 2000

interface Recording {
  readonly name: string
  readonly size: Size
  readonly bytes: Buffer
}

function readRecordings(directory: string): Recording[] {
  return readdirSync(directory)
    .filter((name) => /\.(?:bytes|cast)$/.test(name))
    .sort()
    .map((name) => readRecording(join(directory, name)))
}

function readRecording(path: string): Recording {
  const name = basename(path).replace(/\.\w+$/, '')
  if (path.endsWith('.bytes')) {
    return { name, size: RECORDED_STREAMS[name] ?? { columns: 100, rows: 30 }, bytes: readFileSync(path) }
  }
  const [head = '{}', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const { width, height } = JSON.parse(head) as { width: number; height: number }
  const events = lines.map((line) => JSON.parse(line) as [number, string, string])
  const output = events.flatMap(([, kind, data]) => (kind === 'o' ? [data] : []))
  return { name, size: { columns: width, rows: height }, bytes: Buffer.from(output.join('')) }
}

interface Pass extends Recording {
  readonly seed: number
  readonly joins: number
  readonly resizes: boolean
}

/** The host's screen, who watches it from the start, and those who have joined. */
class Theatre {
  readonly #name: string
  readonly #screen: Screen
  readonly #stayed: Watcher
  readonly #joined: { readonly at: number; readonly watcher: Watcher }[] = []

  constructor(name: string, screen: Screen, stayed: Watcher) {
    this.#name = name
    this.#screen = screen
    this.#stayed = stayed
  }

  get #watchers(): readonly Watcher[] {
    return [this.#stayed, ...this.#joined.map(({ watcher }) => watcher)]
  }

  feed(bytes: Uint8Array): void {
    const drawn = this.#screen.feed(bytes)
    for (const { insides } of this.#watchers) insides.writeSync(drawn)
  }

  resize({ columns, rows }: Size): void {
    this.#screen.resize(columns, rows)
    for (const { terminal } of this.#watchers) terminal.resize(columns, rows)
  }

  join(at: number, watcher: Watcher): void {
    joinScreenAs(watcher, this.#screen)
    this.#joined.push({ at, watcher })
  }

  compare(at: number): string[] {
    return this.#joined.flatMap(({ at: since, watcher }) => {
      const found = differences(watcher, this.#stayed)
      return found.length === 0 ? [] : [`${this.#name}, joined at ${since}, at ${at}: ${found.join('; ')}`]
    })
  }

  close(): void {
    for (const { terminal } of this.#watchers) terminal.dispose()
  }
}

/** Goes through the bytes once. Those who join at random bytes stay to the end. Returns what was wrong. */
async function goThrough({ name, size, bytes, seed, joins, resizes }: Pass): Promise<string[]> {
  const random = seededRandom(seed)
  const places = (count: number): number[] => Array.from({ length: count }, () => upTo(random, bytes.length))
  const [joinsAt, resizesAt] = [places(joins), places(resizes ? RESIZES : 0)]
  const theatre = new Theatre(`${name}, seed ${seed}`, await openHostScreen(size), await openWatcher(size))
  const wrong: string[] = []
  let at = 0
  for (const stop of [...joinsAt, ...resizesAt, bytes.length].sort((a, b) => a - b)) {
    for (let end = 0; at < stop; at = end) {
      end = Math.min(stop, at + 1 + upTo(random, LARGEST_CHUNK))
      theatre.feed(bytes.subarray(at, end))
    }
    wrong.push(...theatre.compare(at))
    if (resizesAt.includes(stop)) theatre.resize(randomSize(size, random))
    if (joinsAt.includes(stop)) theatre.join(at, await openWatcher(randomSize(size, random)))
    wrong.push(...theatre.compare(at))
  }
  for (const to of resizes ? [narrower(size), wider(size), size] : []) {
    theatre.resize(to)
    wrong.push(...theatre.compare(at))
  }
  theatre.close()
  return wrong
}

const upTo = (random: Random, limit: number): number => Math.floor(random() * limit)

const narrower = ({ columns, rows }: Size): Size => ({
  columns: Math.ceil(columns / 3),
  rows: Math.ceil(rows / 2),
})
const wider = ({ columns, rows }: Size): Size => ({ columns: columns * 2, rows: rows + 7 })

function randomSize({ columns, rows }: Size, random: Random): Size {
  const near = (cells: number): number => Math.max(1, Math.round(cells * (0.3 + random() * 1.4)))
  return { columns: near(columns), rows: near(rows) }
}

async function goThroughAll(
  recordings: readonly Recording[],
  joins: number,
  resizes: boolean,
): Promise<string[]> {
  const wrong: string[] = []
  for (let done = 0, pass = 0; done < joins && wrong.length < 10; done += JOINS_AT_ONCE, pass++) {
    const recording = recordings[pass % recordings.length]
    if (recording === undefined) throw new Error('there are no recordings')
    wrong.push(...(await goThrough({ ...recording, seed: SEED + pass, joins: JOINS_AT_ONCE, resizes })))
  }
  return wrong
}

const recordings = readRecordings(JOINING_RECORDINGS)
const joins = Number(JOINING_JOINS)
const streams: Recording[] = Array.from({ length: Number(JOINING_STREAMS) }, (_, index) => ({
  name: `stream ${SEED + index}`,
  size: { columns: 20 + (index % 3) * 17, rows: 6 + (index % 4) * 5 },
  bytes: randomStream(SEED + index, PIECES),
}))

const LIMIT = 3_600_000

test.each([
  ['at the same size', false],
  ['through resizes', true],
])(
  `whoever joins a recorded terminal at any byte goes on like who never left, ${'%s'}`,
  async (_, resizes) => {
    expect(await goThroughAll(recordings, joins / 2, resizes)).toEqual([])
  },
  LIMIT,
)

test.each([
  ['at the same size', false],
  ['through resizes', true],
])(
  `whoever joins a random stream at any byte goes on like who never left, ${'%s'}`,
  async (_, resizes) => {
    expect(await goThroughAll(streams, (streams.length / 2) * JOINS_AT_ONCE, resizes)).toEqual([])
  },
  LIMIT,
)
