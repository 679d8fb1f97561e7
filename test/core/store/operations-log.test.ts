import { appendFileSync, mkdirSync, truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  appendOperation,
  type NewOperation,
  readOperationsFrom,
} from '../../../src/core/store/operations-log.ts'
import { type RepoPaths, repoPaths } from '../../../src/core/store/paths.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { worktreeRecord } from '../../support/records/records.ts'

function makeLog(): RepoPaths {
  const paths = repoPaths(makeScratch(), '0123456789abcdef')
  mkdirSync(paths.dir, { recursive: true })
  return paths
}

const discard = (description: string): NewOperation => ({
  kind: 'discard',
  description,
  worktree_id: worktreeRecord().worktree_id,
  invocation_ids: [],
  refs: [],
  target: null,
})

let minted = 0

const append = (paths: RepoPaths, description: string) =>
  appendOperation(paths, discard(description), { now: new Date(0), random: Uint8Array.of(0, minted++) })

const said = async (paths: RepoPaths, place: number) => {
  const page = await readOperationsFrom(paths, place)
  return { ...page, operations: page.operations.map(({ description }) => description) }
}

describe('the operation log, read from where one left off', () => {
  test('gives what was appended since', async () => {
    const paths = makeLog()
    expect(await said(paths, 0)).toEqual({ operations: [], begin: 0, end: 0 })
    append(paths, 'första')
    append(paths, 'second')
    const first = await said(paths, 0)
    expect(first.operations).toEqual(['första', 'second'])
    expect(await said(paths, first.end)).toEqual({ operations: [], begin: first.end, end: first.end })
    append(paths, 'third')
    expect((await said(paths, first.end)).operations).toEqual(['third'])
  })

  test('waits for the rest of a line that is being written', async () => {
    const paths = makeLog()
    append(paths, 'first')
    const { end } = await said(paths, 0)
    appendFileSync(paths.operations, '{"torn')
    expect(await said(paths, end)).toEqual({ operations: [], begin: end, end })
    append(paths, 'second')
    expect((await said(paths, end)).operations).toEqual(['second'])
  })

  test('is read from the beginning where it has become shorter', async () => {
    const paths = makeLog()
    append(paths, 'first')
    const { end } = await said(paths, 0)
    append(paths, 'second')
    const all = await said(paths, 0)
    truncateSync(paths.operations, end)
    expect(await said(paths, all.end)).toEqual({ operations: ['first'], begin: 0, end })
  })
})
