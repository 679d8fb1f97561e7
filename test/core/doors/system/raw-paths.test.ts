import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteFromTree, filesBelow, rawPath } from '../../../../src/core/doors/system/raw-paths.ts'
import { makeScratch, writeFiles } from '../../../support/git/repository.ts'

/** A name that is not UTF-8: its é is in Latin-1. */
const RAW_NAME = 'caf\xe9'

test('files below a directory are found at any depth and by any name, and no link is followed', () => {
  const tree = makeScratch()
  writeFiles(tree, { 'd/a': '', 'd/deep/er/b': '', beside: '' })
  mkdirSync(join(tree, 'd/empty'))
  symlinkSync('..', join(tree, 'd/up'))
  writeFileSync(rawPath(tree, `d/${RAW_NAME}`), '')
  expect(filesBelow(tree, 'd').sort()).toEqual(['d/a', `d/${RAW_NAME}`, 'd/deep/er/b', 'd/up'])
  for (const path of ['beside', 'd/up', 'none']) expect(filesBelow(tree, path)).toEqual([])
})

test('what is deleted takes along the directories that it leaves empty, and no other', () => {
  const tree = makeScratch()
  writeFiles(tree, { 'd/kept': '', 'd/alone/deep/x': '', 'only/one': '' })
  deleteFromTree(tree, 'd/alone/deep/x')
  expect(readdirSync(join(tree, 'd'))).toEqual(['kept'])
  deleteFromTree(tree, 'only/one')
  expect(readdirSync(tree)).toEqual(['d'])
  deleteFromTree(tree, 'd/kept')
  expect(readdirSync(tree)).toEqual([])
})

test('a directory that is gone already stops nothing, and a link in the place of one stays', () => {
  const tree = makeScratch()
  mkdirSync(join(tree, 'd'))
  deleteFromTree(tree, 'd/gone/x')
  expect(existsSync(join(tree, 'd'))).toBe(false)
  const elsewhere = makeScratch()
  symlinkSync(elsewhere, join(tree, 'link'))
  deleteFromTree(tree, 'link/x')
  expect(readdirSync(tree)).toEqual(['link'])
  expect(existsSync(elsewhere)).toBe(true)
})
