import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import {
  appendLine,
  makeWay,
  readBytesFrom,
  readTextIfRegular,
  readTextIfThere,
  writeAtomic,
  writeDraft,
} from '../../../../src/core/doors/system/files.ts'
import {
  type FileBounds,
  LOG_BOUNDS,
  oddityAt,
  openRegularFile,
  openToAppend,
  readRegularFile,
} from '../../../../src/core/doors/system/regular-file.ts'
import { makeScratch } from '../../../support/git/repository.ts'

const BOUNDS: FileBounds = { most: 1000, links: 'refused' }
const FOLLOWING: FileBounds = { most: 1000, links: 'followed' }

const makePipe = (path: string): void => void execFileSync('mkfifo', [path])

async function makeSocket(path: string): Promise<void> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(path, resolve))
}

/** What an agent may put in the place of a file, and what is said of it. */
const ODD: ReadonlyArray<readonly [what: string, put: (path: string) => unknown, why: string]> = [
  ['a pipe', makePipe, 'it is a named pipe'],
  ['a socket', makeSocket, 'it is a socket'],
  ['a directory', (path) => mkdirSync(path), 'it is a directory'],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'it is a link'],
  ['a link to nothing', (path) => symlinkSync('nowhere', path), 'it is a link'],
  ['a link to itself', (path) => symlinkSync(path, path), 'it is a link'],
  [
    'a terabyte of nothing',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 2 ** 40)
    },
    'it has 1048576 MB; no more than 1000 bytes are read',
  ],
]

describe.each(ODD)('%s in the place of a file', (_what, put, why) => {
  it('is named, whoever reads it, and holds nobody up', async () => {
    const path = join(makeScratch(), 'f')
    await put(path)
    const refused = expect.objectContaining({ code: 'E_FILE_UNREADABLE', message: `${path}: ${why}` })
    expect(() => readRegularFile(path, BOUNDS)).toThrow(refused)
    expect(() => readTextIfThere(path, BOUNDS)).toThrow(refused)
    await expect(openRegularFile(path, BOUNDS)).rejects.toThrow(refused)
    expect(readTextIfRegular(path, BOUNDS)).toBeNull()
    expect(oddityAt(path, BOUNDS)).toBe(why)
  })
})

describe.each(ODD.filter(([what]) => !what.startsWith('a terabyte')))(
  '%s in the place of a log',
  (_what, put) => {
    it('is refused by who appends, and makes way for who has something to note', async () => {
      const path = join(makeScratch(), 'f')
      await put(path)
      expect(() => openToAppend(path, { mode: 0o600, read: false })).toThrow(
        expect.objectContaining({ code: 'E_FILE_UNREADABLE' }),
      )
      appendLine(path, 'one')
      appendLine(path, 'two')
      expect(readTextIfThere(path, BOUNDS)).toBe('one\ntwo\n')
    })

    it('makes way for a record', async () => {
      const path = join(makeScratch(), 'f')
      await put(path)
      await writeAtomic(path, 'text')
      expect(readTextIfThere(path, BOUNDS)).toBe('text')
    })
  },
)

test('what a link leads to is looked at in the same way', () => {
  const dir = makeScratch()
  const path = (name: string): string => join(dir, name)
  writeFileSync(path('file'), 'text')
  makePipe(path('pipe'))
  for (const name of ['file', 'pipe', '/dev/zero']) symlinkSync(name, path(`to-${name.replaceAll('/', '')}`))
  expect(readTextIfThere(path('to-file'), FOLLOWING)).toBe('text')
  expect(oddityAt(path('to-file'), FOLLOWING)).toBeNull()
  expect(oddityAt(path('to-pipe'), FOLLOWING)).toBe('it is a named pipe')
  expect(oddityAt(path('to-devzero'), FOLLOWING)).toBe('it is a device')
})

test('a directory that makes way is kept, with what is in it', () => {
  const dir = makeScratch()
  mkdirSync(join(dir, 'log'))
  writeFileSync(join(dir, 'log', 'work'), 'work')
  makeWay(join(dir, 'log'))
  const [kept = ''] = execFileSync('ls', [dir], { encoding: 'utf8' }).split('\n')
  expect(readTextIfThere(join(dir, kept, 'work'))).toBe('work')
})

test('a draft neither waits for a pipe nor goes through a link', () => {
  const dir = makeScratch()
  makePipe(join(dir, 'pipe'))
  writeFileSync(join(dir, 'theirs'), 'theirs')
  symlinkSync('theirs', join(dir, 'link'))
  expect(() => writeDraft(join(dir, 'pipe'), 'text')).toThrow(/it is a named pipe/)
  expect(() => writeDraft(join(dir, 'link'), 'text')).toThrow(/it is a link/)
  expect(readTextIfThere(join(dir, 'theirs'))).toBe('theirs')
})

test('of an endless log only the end is read', () => {
  const path = join(makeScratch(), 'log')
  writeFileSync(path, '')
  truncateSync(path, 2 ** 40)
  appendLine(path, 'the last')
  const { begin, bytes } = readBytesFrom(path, 0, 16)
  expect(bytes.toString('latin1')).toMatch(/\0\nthe last\n$/)
  expect(begin + bytes.length).toBe(2 ** 40 + '\nthe last\n'.length)
  expect(oddityAt(path, LOG_BOUNDS)).toBeNull()
})
