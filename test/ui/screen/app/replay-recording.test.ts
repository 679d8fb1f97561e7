import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replayRecording } from '../../../../src/ui/screen/app/replay-recording.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import { makeScratch } from '../../../support/git/repository.ts'

async function replay(lines: readonly string[]) {
  const path = join(makeScratch(), 'session.cast')
  writeFileSync(path, lines.join('\n'))
  const pane = await openPane('x', { columns: 80, rows: 24 })
  await replayRecording(path, pane, () => false)
  return pane
}

const HEADER = '{"version":2,"width":40,"height":5}'

it('draws the last screen at the size that the recording ended with', async () => {
  const pane = await replay([
    HEADER,
    JSON.stringify([0.1, 'o', '\x1b[31mhello\r\n']),
    JSON.stringify([0.2, 'r', '30x6']),
    JSON.stringify([0.3, 'o', 'there']),
  ])
  expect(pane.size).toEqual({ columns: 30, rows: 6 })
  expect(pane.find('hello', 'older')).toEqual({ at: 1, of: 1 })
  expect(pane.find('there', 'older')).toEqual({ at: 1, of: 1 })
})

it('takes torn lines, foreign events and absurd sizes for nothing', async () => {
  const pane = await replay([
    HEADER,
    '[0.1, "o", "a',
    '"text"',
    '[0.2, "i", "typed"]',
    '[0.2, "r", "99999x1"]',
    '[0.3, "o", "end"]',
  ])
  expect(pane.size).toEqual({ columns: 40, rows: 5 })
  expect(pane.find('end', 'older')).not.toBeNull()
})

it('draws nothing where there is no recording', async () => {
  const pane = await openPane('x', { columns: 80, rows: 24 })
  await replayRecording('/nowhere/session.cast', pane, () => false)
  expect(pane.find('a', 'older')).toBeNull()
})
