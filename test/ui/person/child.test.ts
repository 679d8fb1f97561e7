import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from '../../../src/ui/person/child.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { memoryConsole } from '../../support/scene/command-line.ts'

const run = (script: string, cwd = makeScratch()) =>
  runChild(memoryConsole(), { argv: ['/bin/sh', '-c', script], cwd, env: { WORD: 'given' }, json: true })

test('a program answers by its exit status, or as a shell says that a signal ended it', async () => {
  expect(await run('exit 0')).toBe(0)
  expect(await run('exit 7')).toBe(7)
  expect(await run('kill -TERM $$')).toBe(143)
})

test('it has the environment that it is given, and no more', async () => {
  expect(await run('test "$WORD" = given && test -z "$HOME"')).toBe(0)
})

test('one that cannot be run, and a directory that is not there, are told apart', async () => {
  const cwd = makeScratch()
  const plan = { argv: ['/none/program'] as const, cwd, env: {}, json: true }
  await expect(runChild(memoryConsole(), plan)).rejects.toThrow('spawn /none/program ENOENT')
  await expect(run('true', join(cwd, 'gone'))).rejects.toThrow(`there is no directory ${join(cwd, 'gone')}`)
})
