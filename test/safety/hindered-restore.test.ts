// An agent can make its own sandbox hard to write to. A restore copes with that where it may; where it cannot, all other
// sandboxes go on.

import { execFileSync } from 'node:child_process'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type Desk, makeDesk, PROGRAM } from '../support/processes/cli.ts'
import { waitUntil } from '../support/run/wait.ts'
import { shell } from '../support/scene/sandbox.ts'

/** Root may write wherever it likes, so there the program is run as root without what makes it so. */
const AS_PERSON = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

async function agency(desk: Desk, ...args: readonly string[]) {
  const [first = '', ...others] = [...AS_PERSON, process.execPath, PROGRAM, ...args]
  const options = { cwd: desk.root, env: desk.env, stdin: 'ignore', all: true, reject: false } as const
  const { exitCode, all } = await execa(first, others, options)
  return { args, code: exitCode, said: String(all) }
}

const works = async (desk: Desk, ...args: readonly string[]) =>
  expect(await agency(desk, ...args)).toMatchObject({ code: 0 })

async function ended(desk: Desk, worktree: string, script: string) {
  const { invocation_id: id, sandbox_path } = await desk.start(worktree, script)
  await waitUntil(async () => (await desk.show(id)).status === 'finished')
  return { id, tree: showPath(sandbox_path) }
}

test('directories without permissions are written in for the time of a restore and of its undo, and have the modes of the state that they are in', async () => {
  const files = ['no-write/f', 'owner-only/f', 'nested/a/b/f', 'shut/f']
  const desk = makeDesk(Object.fromEntries(files.map((path) => [path, 'f\n'])))
  await desk.worktree('one')
  const { id, tree } = await ended(desk, 'one', 'echo w > w')
  await works(desk, 'checkpoint', 'create', id)
  const read = `cat ${files.join(' ')} w; find no-write owner-only nested shut -type f | sort`
  const modes = "find . -mindepth 1 -type d -not -path ./.agency -printf '%m %p\\n' | sort -k2"
  const open = shell(tree, modes)
  shell(tree, `for f in ${files.join(' ')} w; do echo later > $f; echo new > $f.new; done; rm nested/a/b/f`)
  shell(
    tree,
    'touch nested/a/b/f; chmod 555 no-write; chmod 500 owner-only; chmod -R a-w nested; chmod 555 .agency .',
  )
  const [before, later] = [shell(tree, modes), shell(tree, read)]
  await works(desk, 'checkpoint', 'apply', id, '1')
  expect(shell(tree, read)).toMatch(/^(f\n){4}w\n/)
  expect(shell(tree, read)).not.toContain('new')
  expect(shell(tree, modes)).toBe(open)
  await works(desk, 'undo')
  expect(shell(tree, read)).toBe(later)
  expect(shell(tree, modes)).toBe(before)
  await works(desk, 'agent', 'discard', id)
})

/** A directory of another owner, which even its owner's friends may not write to. */
const FOREIGN = 'chown -R 65534 theirs; chmod 755 theirs'

test.skipIf(process.getuid?.() !== 0)(
  'a sandbox that its agent made unrestorable: another one lands, is undone and discarded; gc and create work',
  async () => {
    const desk = makeDesk({ 'theirs/f': 'f\n' })
    await desk.worktree('one')
    await desk.worktree('two')
    const [{ id, tree }, other] = await Promise.all([
      ended(desk, 'one', 'echo w > w'),
      ended(desk, 'two', 'echo innocent > i'),
    ])
    onTestFinished(() => void execFileSync('chown', ['-R', '0', desk.scratch]))
    await works(desk, 'checkpoint', 'create', id)
    shell(tree, `echo later > theirs/f; echo later > w; ${FOREIGN}`)
    const refused = await agency(desk, 'checkpoint', 'apply', id, '1')
    expect(refused).toMatchObject({ code: 6, said: expect.stringContaining('E_TREE_UNWRITABLE') })
    expect(refused.said).toContain('theirs/f')
    expect(shell(tree, 'cat w theirs/f')).toBe('later\nlater\n')
    await works(desk, 'agent', 'land', other.id, '--apply')
    await works(desk, 'undo')
    await works(desk, 'agent', 'discard', other.id)
    await works(desk, 'gc')
    await works(desk, 'worktree', 'create', '--name', 'three')
    expect(await agency(desk, 'doctor')).toMatchObject({ said: expect.not.stringContaining('PROBLEM') })
    await works(desk, 'agent', 'discard', id)
  },
)
