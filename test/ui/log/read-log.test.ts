import { appendFileSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogBatch, LogFile, LogForm, LogItem } from '../../../src/ui/log/log-file.ts'
import { readLog, readOlder } from '../../../src/ui/log/read-log.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { waitUntil } from '../../support/run/wait.ts'

const logFile = (form: LogForm = 'transcript'): LogFile => ({ path: join(makeScratch(), 'log'), form })
const event = (text: string): string =>
  `${JSON.stringify({ at: '2026-01-28T12:05:01.000Z', kind: 'text', text })}\n`
const wordsOf = (items: readonly LogItem[]): string[] =>
  items.map((item) => (typeof item === 'string' ? item : item.kind === 'text' ? item.text : item.kind))

interface Reading {
  readonly batches: LogBatch[]
  words(): string[]
  stop(): Promise<void>
}

function startReading(file: LogFile, nextLook?: () => Promise<void>): Reading {
  const batches: LogBatch[] = []
  const stop = new AbortController()
  const done = (async () => {
    const options = { signal: stop.signal, ...(nextLook === undefined ? {} : { nextLook }) }
    for await (const batch of readLog(file, options)) batches.push(batch)
  })()
  return {
    batches,
    words: () => wordsOf(batches.flatMap(({ items }) => items)),
    async stop() {
      stop.abort()
      await done
    },
  }
}

test('a log is followed from before it is there, lines that are torn until they are whole', async () => {
  const file = logFile()
  const reading = startReading(file)
  await waitUntil(() => reading.batches.length > 0)
  writeFileSync(file.path, `${event('one')}{"kind":"text","at":"x",`)
  await waitUntil(() => reading.words().length === 1)
  appendFileSync(file.path, `"text":"two"}\n{"kind":"of the future","at":"x"}\nnonsense\n${event('three')}`)
  await waitUntil(() => reading.words().length === 3)
  await reading.stop()
  expect(reading.words()).toEqual(['one', 'two', 'three'])
})

test('a log that is hidden is not looked at', async () => {
  const file = logFile('raw')
  let show = (): void => {}
  let looks = 0
  const reading = startReading(file, () => {
    looks += 1
    return new Promise((resolve) => {
      show = resolve
    })
  })
  writeFileSync(file.path, 'one\n')
  await waitUntil(() => looks === 1)
  const seen = reading.words().length
  appendFileSync(file.path, 'two\n')
  show()
  await waitUntil(() => looks === 2)
  expect(reading.words()).toEqual(['one', 'two'])
  expect(seen).toBeLessThan(2)
  const stopped = reading.stop()
  show()
  await stopped
})

test('a huge log opens at its end, and its older parts join without a gap', async () => {
  const file = logFile()
  const texts = Array.from({ length: 60_000 }, (_, line) => `line ${line} ${'x'.repeat(30)}`)
  writeFileSync(file.path, texts.map(event).join(''))
  const reading = startReading(file)
  await waitUntil(() => reading.words().at(-1) === texts.at(-1))
  await reading.stop()
  let words = reading.words()
  let from = reading.batches[0]?.from ?? 0
  expect(from).toBeGreaterThan(0)
  expect(words.length).toBeLessThan(texts.length / 2)
  while (from > 0) {
    const older = await readOlder(file, from)
    expect(older.to).toBe(from)
    words = [...wordsOf(older.items), ...words]
    from = older.from
  }
  expect(words).toEqual(texts)
})

test('of a gigabyte only the end is read', async () => {
  const file = logFile('raw')
  const handle = openSync(file.path, 'w')
  writeSync(handle, '\nlast line\n', 1 << 30)
  const reading = startReading(file)
  await waitUntil(() => reading.words().length > 0)
  await reading.stop()
  expect(reading.batches[0]?.from).toBeGreaterThan((1 << 30) - (8 << 20))
  expect(reading.words().at(-1)).toBe('last line')
})

test('others have their turn while a log is read', async () => {
  const file = logFile()
  writeFileSync(file.path, Array.from({ length: 20_000 }, (_, line) => event(`line ${line}`)).join(''))
  let turn = 0
  let running = true
  const takeTurns = (): void => {
    turn += 1
    if (running) setImmediate(takeTurns)
  }
  takeTurns()
  const stop = new AbortController()
  const turns = new Set<number>()
  let items = 0
  for await (const batch of readLog(file, { signal: stop.signal })) {
    turns.add(turn)
    items += batch.items.length
    expect(batch.items.length).toBeLessThan(2000)
    if (items > 10_000) break
  }
  running = false
  expect(turns.size).toBeGreaterThan(5)
})

test('texts and lines without end are cut, and where the rest is, is said', async () => {
  const raw = logFile('raw')
  writeFileSync(raw.path, `${'x'.repeat(10_000_000)}\nend\n`)
  const reading = startReading(raw)
  await waitUntil(() => reading.words().at(-1) === 'end')
  await reading.stop()
  expect(reading.words()[0]?.length).toBeLessThan(300_000)
  const file = logFile()
  writeFileSync(file.path, event('z'.repeat(7_000_000)) + event('y'.repeat(300_000)))
  const { items, from } = await readOlder(file, statSync(file.path).size)
  const [skipped] = wordsOf((await readOlder(file, from)).items)
  expect(wordsOf(items)[0]?.slice(-80)).toContain(`of it are in ${file.path}]`)
  expect(skipped).toMatch(/^\[an event of 7\.0 MB is not shown/)
})

test("a terminal's recording is read as text", async () => {
  const file = logFile('recording')
  writeFileSync(
    file.path,
    '{"version":2,"width":80,"height":24}\n[0.1,"o","\\u001b[1m$ ls\\r\\n"]\n[0.2,"i","x"]\n[0.3,"o","src\\r\\n"]\n',
  )
  const reading = startReading(file)
  await waitUntil(() => reading.words().length === 2)
  await reading.stop()
  expect(reading.words()).toEqual(['$ ls', 'src'])
})

test('a log that cannot be read says so', async () => {
  const file: LogFile = { path: makeScratch(), form: 'raw' }
  const readAll = async (): Promise<void> => {
    for await (const batch of readLog(file, { signal: new AbortController().signal }))
      expect(batch.items).toEqual([])
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'E_RECORD_UNREADABLE' })
})
