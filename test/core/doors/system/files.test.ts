import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  deletePath,
  emptyDirectory,
  pathExists,
  realPathIfThere,
  writeDraft,
} from '../../../../src/core/doors/system/files.ts'
import { rawPath } from '../../../../src/core/doors/system/raw-paths.ts'
import { makeScratch, writeFiles } from '../../../support/git/repository.ts'

const FULL = '/dev/full'

test.runIf(existsSync(FULL))('a draft that finds the disk full says so', () => {
  expect(() => writeDraft(FULL, 'text')).toThrow(expect.objectContaining({ code: 'E_DISK_FULL' }))
})

test('a directory is emptied of files whose names are no text, and stays', () => {
  const dir = makeScratch()
  writeFiles(dir, { a: '', 'deep/er/b': '' })
  writeFileSync(rawPath(dir, 'caf\xe9'), '')
  expect(readdirSync(dir)).toHaveLength(3)
  emptyDirectory(dir)
  expect(readdirSync(dir)).toEqual([])
})

test('of a link the link goes, and what it leads to stays', () => {
  const dir = makeScratch()
  writeFiles(dir, { 'kept/file': 'kept\n' })
  symlinkSync('kept', join(dir, 'link'))
  for (const name of ['link', 'none']) deletePath(join(dir, name))
  expect(readdirSync(dir)).toEqual(['kept'])
  expect(readFileSync(join(dir, 'kept/file'), 'utf8')).toBe('kept\n')
})

test('a link is there where what it leads to is', () => {
  const dir = makeScratch()
  writeFiles(dir, { file: '' })
  symlinkSync('file', join(dir, 'link'))
  symlinkSync('none', join(dir, 'dangling'))
  expect(['file', 'link', 'dangling', 'none'].map((name) => pathExists(join(dir, name)))).toEqual([
    ...[true, true],
    ...[false, false],
  ])
  expect(realPathIfThere(join(dir, 'link'))).toBe(join(dir, 'file'))
  expect(realPathIfThere(join(dir, 'dangling'))).toBeNull()
})
