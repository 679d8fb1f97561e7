import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isWrittenInPart } from '../../../../src/core/doors/system/written-in-part.ts'
import { makeScratch } from '../../../support/git/repository.ts'

/** Longer than what is read at a time. */
const LONG = Buffer.alloc(200_000, 'abcdefg')

const changedAt = (bytes: Buffer, place: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(0, place)
  return changed
}

test.each<[what: string, content: Uint8Array, expected: boolean]>([
  ['the whole', LONG, true],
  ['nothing yet', LONG.subarray(0, 0), true],
  ['a beginning', LONG.subarray(0, 70_001), true],
  ['a beginning that ends where a read does', LONG.subarray(0, 1 << 16), true],
  ['more than the whole', Buffer.concat([LONG, Buffer.from('a')]), false],
  ['another first byte', changedAt(LONG, 0), false],
  ['another last byte', changedAt(LONG, LONG.length - 1), false],
  ['a beginning with another byte far in', changedAt(LONG.subarray(0, 150_000), 140_000), false],
])('a file that holds %s', (_, content, expected) => {
  const dir = makeScratch()
  writeFileSync(join(dir, 'whole'), LONG)
  writeFileSync(join(dir, 'part'), content)
  expect(isWrittenInPart(Buffer.from(join(dir, 'part')), Buffer.from(join(dir, 'whole')))).toBe(expected)
})

test('what is of another kind, leads elsewhere or is not there was not written by us', () => {
  const dir = makeScratch()
  writeFileSync(join(dir, 'file'), 'same\n')
  for (const name of ['directory', 'other-directory']) mkdirSync(join(dir, name))
  for (const name of ['link', 'same-link']) symlinkSync('file', join(dir, name))
  symlinkSync('fil', join(dir, 'beginning-of-link'))
  const kinds = ['file', 'directory', 'other-directory', 'link', 'same-link', 'beginning-of-link', 'none']
  const at = (name: string): Buffer => Buffer.from(join(dir, name))
  const alike = kinds.flatMap((part) =>
    kinds.filter((whole) => isWrittenInPart(at(part), at(whole))).map((whole) => `${part} of ${whole}`),
  )
  expect(alike).toEqual([
    'file of file',
    'directory of directory',
    'directory of other-directory',
    'other-directory of directory',
    'other-directory of other-directory',
    'link of link',
    'link of same-link',
    'same-link of link',
    'same-link of same-link',
    'beginning-of-link of beginning-of-link',
  ])
})
