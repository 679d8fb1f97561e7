import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseIndexLock, takeIndexLock } from '../../../../src/core/doors/git/index-lock.ts'
import { makeScratch } from '../../../support/git/repository.ts'

const draftOf = (dir: string): string => join(dir, 'agency-lock-draft')

test('a kill before the lock had its name leaves nothing behind once it is taken again', () => {
  const dir = makeScratch()
  writeFileSync(draftOf(dir), 'tok')
  takeIndexLock(dir, 'token')
  expect(readdirSync(dir)).toEqual(['index.lock'])
  expect(readFileSync(join(dir, 'index.lock'), 'utf8')).toBe('token\n')
  releaseIndexLock(dir, 'token')
  expect(readdirSync(dir)).toEqual([])
})

test('nor does a kill between the name and the end of the draft', () => {
  const dir = makeScratch()
  writeFileSync(draftOf(dir), 'token\n')
  linkSync(draftOf(dir), join(dir, 'index.lock'))
  takeIndexLock(dir, 'token')
  releaseIndexLock(dir, 'token')
  expect(readdirSync(dir)).toEqual([])
})

test("another's lock stays as it is, and is reported", () => {
  const dir = makeScratch()
  writeFileSync(join(dir, 'index.lock'), 'other\n')
  expect(() => takeIndexLock(dir, 'token')).toThrow('another git command')
  releaseIndexLock(dir, 'token')
  expect(readdirSync(dir)).toEqual(['index.lock'])
})
