import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropClaim, placeClaim, readClaim } from '../../../../src/core/doors/system/claim-file.ts'
import { makeScratch } from '../../../support/git/repository.ts'

const claims = () => {
  const dir = makeScratch()
  const path = join(dir, 'lock')
  return { dir, path, place: (text: string) => placeClaim({ path, draft: `${path}.draft`, text }) }
}

/** What a file system without hard links makes of a claim. */
function claimWithoutLinks(path: string, text: string): void {
  mkdirSync(path)
  writeFileSync(join(path, 'claim'), text)
}

test('one of many gets the claim, and it is whole', () => {
  const { dir, path, place } = claims()
  expect(['a', 'b', 'c'].map(place)).toEqual([true, false, false])
  expect(readClaim(path)).toBe('a')
  dropClaim(path)
  expect([readClaim(path), readdirSync(dir)]).toEqual([null, []])
})

test('a claim of one who has no hard links holds against one who has them, and is dropped like any other', () => {
  const { dir, path, place } = claims()
  claimWithoutLinks(path, 'theirs')
  expect([place('mine'), readClaim(path)]).toEqual([false, 'theirs'])
  dropClaim(path)
  expect(readdirSync(dir)).toEqual([])
  expect([place('mine'), readClaim(path)]).toEqual([true, 'mine'])
})

test('an empty directory that a kill has left holds nobody up', () => {
  const { path, place } = claims()
  mkdirSync(path)
  expect([place('first try'), place('second try')]).toEqual([false, true])
  expect(readClaim(path)).toBe('second try')
})

test('a claim whose making was told twice, as file servers do, is one', () => {
  const { path, place } = claims()
  writeFileSync(path, 'mine')
  expect([place('mine'), place('of another')]).toEqual([true, false])
})

test('a draft that a kill has left is in nobody’s way, file or directory', () => {
  const { dir, path, place } = claims()
  writeFileSync(`${path}.draft`, 'half')
  expect(place('a')).toBe(true)
  dropClaim(path)
  claimWithoutLinks(`${path}.draft`, 'half')
  expect(place('b')).toBe(true)
  expect(readdirSync(dir)).toEqual(['lock'])
})
