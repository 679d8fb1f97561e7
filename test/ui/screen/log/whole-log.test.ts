import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLog, readOlder } from '../../../../src/ui/log/read-log.ts'
import type { LogAction, LogMove } from '../../../../src/ui/screen/log/act-on-log.ts'
import { LOG_FILTERS, type LogState, openLog, shownFile } from '../../../../src/ui/screen/log/log-state.ts'
import { olderWanted } from '../../../../src/ui/screen/log/older-log.ts'
import { receiveLog } from '../../../../src/ui/screen/log/receive-log.ts'
import { isSearching, searchLog, searchOn } from '../../../../src/ui/screen/log/search-log.ts'
import { drawLog, LOG_FACTS, press, words } from '../../../support/dashboard/log-screen.ts'
import { makeScratch } from '../../../support/git/repository.ts'

const SIZE = { columns: 80, rows: 10 }
const EVENTS = 60_000

async function openFile(): Promise<LogState> {
  const stream = join(makeScratch(), 'stream.jsonl')
  const events = Array.from({ length: EVENTS }, (_, at) =>
    JSON.stringify(words(`event ${at}, and what it says`)),
  )
  writeFileSync(stream, `${events.join('\n')}\n`)
  let state = openLog({ ...LOG_FACTS, paths: { ...LOG_FACTS.paths, stream } })
  for await (const batch of readLog(shownFile(state), { signal: new AbortController().signal })) {
    state = receiveLog(state, batch)
    if (
      drawLog(state, SIZE)
        .join('\n')
        .includes(`event ${EVENTS - 1},`)
    )
      break
  }
  return state
}

/** As the app does: reads what is older for as long as the person is at the top. */
async function readAllOlder(state: LogState): Promise<LogState> {
  let read = state
  for (let before = olderWanted(read, SIZE); before !== null; before = olderWanted(read, SIZE)) {
    read = receiveLog(read, await readOlder(shownFile(read), before))
  }
  return read
}

test('a long log opens at its end, and whoever goes to its beginning gets there', async () => {
  const state = await openFile()
  expect(state.scripts.readable.blocks.length).toBeLessThan(EVENTS)
  const top = await readAllOlder(press(state, ['first'], SIZE))
  expect(drawLog(top, SIZE)[1]).toContain('event 0, and what it says')
  expect(top.scripts.readable.blocks).toHaveLength(EVENTS)
})

/** The same log, which tells of each block that is looked at. */
function watchBlocks(state: LogState, onLook: () => void): LogState {
  const { readable } = state.scripts
  const blocks = new Proxy(readable.blocks, {
    get: (all, key, receiver) => {
      if (key !== 'length') onLook()
      return Reflect.get(all, key, receiver)
    },
  })
  return { ...state, scripts: { ...state.scripts, readable: { ...readable, blocks } } }
}

test('a filter looks at every block of a long log once, and scrolling only at those on the screen', async () => {
  let looks = 0
  const whole = await readAllOlder(press(await openFile(), ['first'], SIZE))
  let state = watchBlocks(whole, () => {
    looks += 1
  })
  const looksAt = (key: LogAction | LogMove): number => {
    const before = looks
    state = press(state, [key], SIZE)
    drawLog(state, SIZE)
    return looks - before
  }
  looksAt('first')
  for (const filter of LOG_FILTERS) {
    expect(state.filter).toBe(filter)
    for (const key of ['page_down', 'down', 'page_up', 'up', 'last', 'page_up', 'first'] as const)
      expect(looksAt(key), `${key} in ${filter}`).toBeLessThan(EVENTS / 100)
    expect(looksAt('filter')).toBeLessThan(EVENTS + EVENTS / 100)
  }
  expect(looks).toBeGreaterThan(EVENTS)
})

test('a search through a long log is done in parts', async () => {
  const all = await readAllOlder(press(await openFile(), ['first'], SIZE))
  let state = searchLog(all, 'event 59999,', SIZE)
  let parts = 1
  for (; isSearching(state); parts += 1) state = searchOn(state, SIZE)
  expect(parts).toBeGreaterThan(5)
  expect(drawLog(state, SIZE).find((row) => row.startsWith('>'))).toContain('event 59999,')
})
