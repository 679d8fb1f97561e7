// A person looks after an agent's states with the built dashboard on a terminal: keeps one, looks at it, goes back to
// it, and undoes that.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../src/core/model/checkpoint.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type Desk, makeDesk, PROGRAM } from '../support/processes/cli.ts'
import { type OuterTerminal, openTerminal } from '../support/processes/outer-terminal.ts'

const DOWN = '\x1b[B'
const ENTER = '\r'
const ESCAPE = '\x1b'

const openDashboard = (desk: Desk): OuterTerminal =>
  openTerminal('/bin/sh', ['-c', 'cd "$0" && exec "$1" "$2"', desk.root, process.execPath, PROGRAM], {
    ...process.env,
    ...desk.env,
  })

test('a state is kept while the agent works, compared, brought back after it was stopped, and left again', async () => {
  const desk = makeDesk({ 'poem.txt': 'roses\n' })
  await desk.worktree('feature')
  // The agent goes on once the file `go` exists.
  const { invocation_id, sandbox_path } = await desk.start(
    'feature',
    'echo violets >> poem.txt; while [ ! -e ../go ]; do sleep 0.05; done; echo weeds > poem.txt; exec sleep 600',
  )
  const short = invocation_id.slice(-4)
  const poem = join(showPath(sandbox_path), 'poem.txt')
  const checkpoints = async (): Promise<readonly Checkpoint[]> =>
    (await desk.data<{ checkpoints: readonly Checkpoint[] }>('checkpoint', 'ls', invocation_id)).checkpoints

  const terminal = openDashboard(desk)
  await terminal.shows(short)
  terminal.type(DOWN)
  await terminal.shows(`${short} shell`)
  await terminal.shows('+1 −0')
  terminal.type('c')
  await terminal.shows('◷ ')
  const [kept] = await checkpoints()
  expect(kept).toMatchObject({ diffstat: '+1 -0 in 1 file' })

  terminal.type('C')
  // The row says `asked for`, or `after a pause` if the host was quicker than the person.
  await terminal.shows('1  a')
  terminal.type(ENTER)
  await terminal.shows('checkpoint 1 against the base')
  await terminal.shows('+ violets')
  terminal.type('r')
  await terminal.shows(`${short} is still running: s stops it first`)

  writeFileSync(join(showPath(sandbox_path), '..', 'go'), '')
  terminal.type(ENTER)
  await terminal.shows('now against checkpoint 1')
  await terminal.shows('+ weeds')
  terminal.type('s')
  await terminal.shows(`stopped ${short}`)
  terminal.type(ESCAPE)
  await terminal.shows('2  a')
  expect(readFileSync(poem, 'utf8')).toBe('weeds\n')

  terminal.type('\x1b[F')
  terminal.type('n')
  await terminal.shows('name of checkpoint 1')
  terminal.type(`the good one${ENTER}`)
  await terminal.shows('the good one  ')
  terminal.type('r')
  await terminal.shows(`restored ${short} to checkpoint 1`)
  expect(readFileSync(poem, 'utf8')).toBe('roses\nviolets\n')
  terminal.type('u')
  await terminal.shows('undone: restored')
  expect(readFileSync(poem, 'utf8')).toBe('weeds\n')
  expect((await checkpoints())[0]).toMatchObject({ id: 1, name: 'the good one' })

  terminal.type('q')
  expect(await terminal.ended).toMatchObject({ exitCode: 0 })
})
