import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, makeRepository, makeScratch } from '../../support/git/repository.ts'
import { readReached } from './reachable.ts'

const ENV = { PATH: String(process.env['PATH']) }

/** As a submodule's repository lies in the trash. */
const AWAY: Readonly<Record<string, (gitDir: string) => void>> = {
  'leads nowhere': (dir) => git(dir, 'config', 'core.worktree', '../../no/such/tree'),
  'leads nowhere, by settings of its own': (dir) => {
    git(dir, 'config', 'extensions.worktreeConfig', 'true')
    writeFileSync(join(dir, 'config.worktree'), '[core]\n\tworktree = /no/such/tree\n')
  },
  'is a file': (dir) => {
    writeFileSync(join(dir, 'file'), '')
    git(dir, 'config', 'core.worktree', join(dir, 'file'))
  },
  'is another tree': (dir) => {
    mkdirSync(join(dir, '../other'))
    git(dir, 'config', 'core.worktree', join(dir, '../other'))
  },
}

test.each(Object.entries(AWAY))('a repository is walked whose work tree %s', async (_, away) => {
  const root = makeRepository(join(makeScratch(), 'repo'), { a: 'a\n' })
  writeFileSync(join(root, 's'), 'staged\n')
  git(root, 'add', 's')
  const wanted = ['HEAD', 'HEAD:a', ':s'].map((name) => git(root, 'rev-parse', name))
  const gitDir = join(root, '.git')
  away(gitDir)
  const { ids, made, unread } = await readReached([Buffer.from(gitDir)], ENV)
  expect(unread).toEqual([])
  expect(wanted.filter((id) => !ids.has(id))).toEqual([])
  expect(made.get(wanted[2] ?? '')).toBe('index of s')
})
