import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasOsBox } from '../support/boxes/boxes.ts'
import { git } from '../support/git/repository.ts'
import { type InvocationData, makeDesk } from '../support/processes/cli.ts'

const START = ['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--headless', '--prompt']
const BOXES = [[], ...(hasOsBox ? [['--env', 'offline']] : [])]

async function makeFeature() {
  const desk = makeDesk({ a: 'a\n' })
  await desk.worktree('feature')
  const last = async (): Promise<InvocationData> => {
    const { invocations } = await desk.list()
    const found = invocations.at(-1)
    if (found === undefined) throw new Error('there is no invocation')
    return desk.show(found.invocation_id)
  }
  return { ...desk, last }
}

test.each(BOXES)(
  'setup is run in the sandbox before the runner, teardown after it (%s %s)',
  async (...box) => {
    const desk = await makeFeature()
    const commands = [
      '--setup',
      'echo "set up in $PWD"; echo 1 > made',
      '--teardown',
      'cat made later > after',
    ]
    const ran = await desk.run([...START, 'cat made && echo 2 > later', ...commands, ...box])
    expect(ran.exitCode, ran.stderr).toBe(0)
    const record = await desk.last()
    const tree = record.sandbox_path as unknown as string
    expect(readFileSync(join(tree, 'after'), 'utf8')).toBe('1\n2\n')
    const log = readFileSync(join(tree, '../logs/setup.log'), 'utf8')
    expect(log).toContain(`set up in ${tree}\n`)
    expect(log).toContain('$ cat made later > after\n')
  },
)

test('a setup that fails ends the start with what it said, and nothing is left', async () => {
  const desk = await makeFeature()
  const ran = await desk.run([...START, 'touch ran', '--setup', 'echo no such package; exit 3'])
  expect(ran.exitCode).toBe(6)
  expect(ran.stderr).toMatch(/E_SETUP_FAILED[\s\S]*exited with 3[\s\S]*no such package/)
  expect((await desk.list()).invocations).toEqual([])
  expect(git(desk.root, 'for-each-ref', 'refs/heads/agency/sandbox-*')).toBe('')
})

test('a teardown that fails is noted, and the run is what it was', async () => {
  const desk = await makeFeature()
  expect((await desk.run([...START, 'echo b > b', '--teardown', 'exit 4'])).exitCode).toBe(0)
  const record = await desk.last()
  expect(record).toMatchObject({ status: 'finished', exit_code: 0 })
  const shown = await desk.run(['agent', 'show', record.invocation_id, '--json'])
  expect(shown.stdout).toContain('exit 4 exited with 4')
  expect(existsSync(join(record.sandbox_path as unknown as string, 'b'))).toBe(true)
})
