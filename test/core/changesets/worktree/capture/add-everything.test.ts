import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addEverything } from '../../../../../src/core/changesets/worktree/capture/add-everything.ts'
import { readComplaints } from '../../../../../src/core/changesets/worktree/capture/git-complaints.ts'
import type { Git } from '../../../../../src/core/doors/effects.ts'
import { makeRepository, makeScratch } from '../../../../support/git/repository.ts'

test('what git says that it left out is told apart: held by nobody, or worth another look', () => {
  const { incomplete, retry } = readComplaints(
    [
      "error: 'nested/' does not have a commit checked out",
      "error: unable to index file 'nested/'",
      "warning: could not open directory 'closed dir/': Permission denied",
      'error: open("secret"): Permission denied',
      "error: unable to index file 'secret'",
      'error: pipe: can only add regular files, symbolic links or git-directories',
      'warning: in the working copy of x, LF will be replaced by CRLF the next time Git touches it',
    ].join('\n'),
  )
  expect(incomplete.map(({ path }) => path)).toEqual(['nested', 'closed dir'])
  expect(retry).toEqual(['secret', 'pipe'])
})

test('a git that a signal ended while it read one file leaves no lock that later ones meet', async () => {
  const tree = makeRepository(join(makeScratch(), 'repo'))
  writeFileSync(join(tree, 'cut-short'), 'x')
  const index = join(tree, '.git', 'index')
  let killed = false
  const run: Git['run'] = async (args, { input } = {}) => {
    if (args.includes('update-index') && !killed) {
      killed = true
      writeFileSync(`${index}.lock`, '')
      throw new Error('ended by SIGBUS')
    }
    const stdout = execFileSync('git', [...args], { cwd: tree, input })
    return { exitCode: 0, stdout, stderr: '' }
  }
  const request = { index, setAside: ['cut-short'], leftOut: [], trackedOnly: false }
  const added = await addEverything({ run } as Git, tree, request)
  expect(killed).toBe(true)
  expect(added).toEqual({ done: true, incomplete: [] })
  const staged = execFileSync('git', ['ls-files', 'cut-short'], { cwd: tree, encoding: 'utf8' })
  expect(staged).toBe('cut-short\n')
})
