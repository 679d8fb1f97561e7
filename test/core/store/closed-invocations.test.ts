import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { InvocationId } from '../../../src/core/model/ids.ts'
import { listInvocations } from '../../../src/core/operations/invocations/known-invocations.ts'
import { recallClosed } from '../../../src/core/store/closed-invocations.ts'
import { updateInvocation } from '../../../src/core/store/invocations.ts'
import { writeClosed } from '../../support/records/closed-records.ts'
import { makeScene } from '../../support/scene/sandbox.ts'

/** Milliseconds. With this, files count as settled at once. */
const NOW = -1000

async function keepSome() {
  const { repository, record } = await makeScene()
  const { paths } = repository
  const closed = writeClosed(repository, 70)
  const first = recallClosed(paths, NOW)
  const found = closed.filter((id) => first.has(id))
  first.keep()
  return { paths, closed, found, open: record.invocation_id }
}

const openOnes = (paths: Parameters<typeof listInvocations>[0]): InvocationId[] =>
  listInvocations(paths, { open_only: true }).invocations.map((record) => record.invocation_id)

test('what was found to be closed is believed the next time', async () => {
  const { paths, closed, found, open } = await keepSome()
  expect(found).toEqual(closed)
  const kept = JSON.parse(readFileSync(paths.closed, 'utf8'))
  expect(Object.keys(kept).sort()).toEqual([...closed].sort())
  const next = recallClosed(paths)
  expect(closed.every((id) => next.has(id))).toBe(true)
  expect(next.has(open)).toBe(false)
})

test('a record that was opened again is open, whatever is remembered of it', async () => {
  const { paths, closed } = await keepSome()
  const [again] = closed
  if (again === undefined) return expect.fail('nothing was closed')
  const memory = recallClosed(paths, NOW)
  expect(memory.has(again)).toBe(true)
  await updateInvocation(paths, again, { landing_status: 'pending' })
  expect(memory.has(again)).toBe(false)
  expect(recallClosed(paths).has(again)).toBe(false)
})

test('a memory that cannot be read is none', async () => {
  const { paths, closed, open } = await keepSome()
  for (const text of ['{', 'null', '[]', '"x"', '']) {
    writeFileSync(paths.closed, text)
    const memory = recallClosed(paths)
    expect(closed.every((id) => memory.has(id))).toBe(true)
    expect(openOnes(paths)).toEqual([open])
  }
})

test('nothing is kept of a few, nor of files that may still be written', async () => {
  const { repository } = await makeScene()
  const { paths } = repository
  const few = recallClosed(paths, NOW)
  for (const id of writeClosed(repository, 5)) few.has(id)
  few.keep()
  expect(existsSync(paths.closed)).toBe(false)
  const fresh = recallClosed(paths, 60_000)
  for (const id of writeClosed(repository, 70)) fresh.has(id)
  fresh.keep()
  expect(JSON.parse(readFileSync(paths.closed, 'utf8'))).toEqual({})
})
