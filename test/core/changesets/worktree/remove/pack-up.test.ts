import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { moveDirectory } from '../../../../../src/core/changesets/worktree/remove/pack-up.ts'
import { makeScratch } from '../../../../support/git/repository.ts'
import { shell } from '../../../../support/scene/sandbox.ts'

/** Directories that lie on other file systems than the tests do, on some machines. */
const ELSEWHERE = ['/dev/shm', '/tmp', '/var/tmp', process.cwd()].filter(isWritable)

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function makeElsewhere(scratch: string): string | null {
  const parent = ELSEWHERE.find((path) => statSync(path).dev !== statSync(scratch).dev)
  if (parent === undefined) return null
  const dir = mkdtempSync(join(parent, 'agency-elsewhere-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function makeDirectory(): string {
  const from = join(makeScratch(), 'from')
  mkdirSync(join(from, 'd'), { recursive: true })
  writeFileSync(join(from, 'd/file'), 'file\n')
  chmodSync(join(from, 'd/file'), 0o754)
  chmodSync(join(from, 'd'), 0o750)
  symlinkSync('/nowhere', join(from, 'link'))
  shell(from, 'mkfifo pipe')
  writeFileSync(Buffer.concat([Buffer.from(`${from}/`), Buffer.from([0xff, 0xfe])]), 'raw\n')
  return from
}

describe('a directory that is moved to another file system', () => {
  test('arrives with modes, links and raw names; pipes, which hold nothing, are left out', (context) => {
    const from = makeDirectory()
    const place = makeElsewhere(from)
    if (place === null) return context.skip()
    const to = join(place, 'to')
    mkdirSync(`${to}.part`)
    writeFileSync(join(`${to}.part`, 'of a killed attempt'), '')
    let seen: [boolean, boolean] | null = null
    moveDirectory(from, to, () => {
      seen = [existsSync(join(to, 'd/file')), existsSync(join(from, 'd/file'))]
    })
    expect(seen).toEqual([true, true])
    expect(existsSync(from)).toBe(false)
    expect(readFileSync(join(to, 'd/file'), 'utf8')).toBe('file\n')
    expect([join(to, 'd/file'), join(to, 'd')].map((path) => lstatSync(path).mode & 0o777)).toEqual([
      0o754, 0o750,
    ])
    expect(readlinkSync(join(to, 'link'))).toBe('/nowhere')
    expect(existsSync(join(to, 'of a killed attempt'))).toBe(false)
    expect(existsSync(Buffer.concat([Buffer.from(`${to}/`), Buffer.from([0xff, 0xfe])]))).toBe(true)
  })

  test('stays where it is until the copy is complete', (context) => {
    const from = makeDirectory()
    const place = makeElsewhere(from)
    if (place === null) return context.skip()
    const stopped = () => {
      throw new Error('stopped')
    }
    expect(() => moveDirectory(from, join(place, 'to'), stopped)).toThrow('stopped')
    expect(existsSync(join(from, 'd/file'))).toBe(true)
  })
})
