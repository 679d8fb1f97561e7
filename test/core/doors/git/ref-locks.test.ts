import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeIndexLock } from '../../../../src/core/doors/git/index-lock.ts'
import { dropStaleRefLocks } from '../../../../src/core/doors/git/ref-locks.ts'
import { parseObjectId } from '../../../../src/core/model/ids.ts'
import { makeScratch, writeFiles } from '../../../support/git/repository.ts'

const TO = parseObjectId('b'.repeat(40))
const MOVE = { ref: 'refs/heads/topic', to: TO, token: 'agency 1', isHeld: () => false }

/** Makes a lock with `content` on a branch, and one on the HEAD that is on it. Returns the locks that are left. */
function dropAfter(content: string, holder: string | null): string[] {
  const dir = makeScratch()
  writeFiles(dir, { 'refs/heads/topic.lock': content })
  writeFileSync(join(dir, 'HEAD.lock'), '')
  if (holder !== null) takeIndexLock(dir, holder)
  dropStaleRefLocks(dir, { ...MOVE, git_dir: dir })
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(topic|HEAD)\.lock$/.test(name),
  )
}

test.each([
  ['nothing yet', ''],
  ['the new tip', TO],
  ['the whole line', `${TO}\n`],
])('a killed move leaves locks that go: the branch had %s in it', (_, content) => {
  expect(dropAfter(content, MOVE.token)).toEqual([])
})

test('a lock that moves the branch elsewhere is not ours', () => {
  expect(dropAfter(`${'c'.repeat(40)}\n`, MOVE.token)).toEqual(['refs/heads/topic.lock'])
})

test.each([
  ['nobody', null],
  ['another git', 'other'],
])('all stay where %s holds the index', (_, holder) => {
  expect(dropAfter('', holder).sort()).toEqual(['HEAD.lock', 'refs/heads/topic.lock'])
})
