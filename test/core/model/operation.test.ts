import { describe, expect, it } from 'vitest'
import { deriveStacks, type Operation, operationSchema } from '../../../src/core/model/operation.ts'

const operation = (operation_id: string, kind: Operation['kind'], target: string | null = null): Operation =>
  operationSchema.parse({
    schema_version: '1.0',
    operation_id,
    at: '2026-01-28T12:00:00Z',
    kind,
    description: operation_id,
    worktree_id: '20260128120000-a3f2',
    invocation_ids: [],
    refs: [],
    target,
  })

const ids = (operations: readonly Operation[]): string[] => operations.map((one) => one.operation_id)

describe('the stacks of undo and redo', () => {
  it('hold what was done in order', () => {
    const { done, undone } = deriveStacks([operation('a', 'land'), operation('b', 'discard')])
    expect([ids(done), ids(undone)]).toEqual([['a', 'b'], []])
  })

  it('move an operation over when it is undone, and back when it is done again', () => {
    const log = [operation('a', 'land'), operation('b', 'discard'), operation('c', 'undo', 'b')]
    expect(ids(deriveStacks(log).undone)).toEqual(['b'])
    expect(ids(deriveStacks([...log, operation('d', 'redo', 'b')]).done)).toEqual(['a', 'b'])
  })

  it('undo twice takes two', () => {
    const log = [
      operation('a', 'land'),
      operation('b', 'land'),
      operation('c', 'undo', 'b'),
      operation('d', 'undo', 'a'),
    ]
    expect(ids(deriveStacks(log).done)).toEqual([])
    expect(ids(deriveStacks(log).undone)).toEqual(['b', 'a'])
  })

  it('forget what was undone once something new is done', () => {
    const log = [operation('a', 'land'), operation('b', 'undo', 'a'), operation('c', 'discard')]
    expect([ids(deriveStacks(log).done), ids(deriveStacks(log).undone)]).toEqual([['c'], []])
  })
})
