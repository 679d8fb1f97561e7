import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEYS } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk, PROGRAM } from '../support/processes/cli.ts'
import type { OuterTerminal } from '../support/processes/outer-terminal.ts'
import { openWatched, type Watching } from '../support/processes/watched-program.ts'
import { sampledOf } from '../support/run/sampled.ts'

const { SIGHUP } = constants.signals

const openAgency = (desk: Desk, args: readonly string[], watching: Watching = {}) =>
  openWatched([process.execPath, PROGRAM, ...args], {
    columns: 120,
    rows: 36,
    cwd: desk.root,
    ...watching,
    env: { ...process.env, ...desk.env },
  })

/** Edits a file, says so, and waits to be ended. */
const EDITOR = `echo more >> README.md; echo "$((6 * 7)) edits"; read -r line`

async function startEditor(desk: Desk): Promise<string> {
  await desk.worktree('feature')
  const start = ['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--detached']
  const { invocation } = await desk.data<{ invocation: { invocation_id: string } }>(
    ...start,
    ...['--prompt', EDITOR],
  )
  return invocation.invocation_id
}

/** What the dashboard has kept for the next time. */
function kept(desk: Desk): Record<string, Record<string, unknown>> {
  const repositories = join(desk.dataDir, 'repos')
  const [id = ''] = readdirSync(repositories)
  return JSON.parse(readFileSync(join(repositories, id, 'ui.json'), 'utf8'))
}

interface Moment {
  readonly at: string
  reach(terminal: OuterTerminal): Promise<void>
  /** What is kept by then, beside what was selected. */
  readonly draft?: string
}

const inTree = async (terminal: OuterTerminal): Promise<void> => {
  await terminal.shows('working')
  terminal.type(KEYS.down)
  await terminal.shows('42 edits')
}

const MOMENTS: readonly Moment[] = [
  { at: 'in the tree', reach: inTree },
  {
    at: 'in a pane',
    reach: async (terminal) => {
      await inTree(terminal)
      terminal.type(KEYS.enter)
      await terminal.shows('give the keyboard back')
    },
  },
  {
    at: 'in a form with a prompt that was begun',
    reach: async (terminal) => {
      await inTree(terminal)
      terminal.type('n')
      await terminal.shows('New agent')
      terminal.type('half a thought')
      await terminal.shows('half a thought')
    },
    draft: 'half a thought',
  },
]

test.each(sampledOf(MOMENTS))(
  'the window is closed $at: no core, an end by SIGHUP, and all is kept',
  async ({ reach, draft }) => {
    const desk = makeDesk()
    const id = await startEditor(desk)
    for (const session of ['told', 'not told'] as const) {
      const { terminal, ended } = openAgency(desk, [], { session })
      await reach(terminal)
      terminal.pty.destroy()
      expect(await ended()).toBe(128 + SIGHUP)
      expect(kept(desk)['stage']).toMatchObject({ selected: id })
      if (draft !== undefined) expect(kept(desk)['forms']?.['draft']).toContain(draft)
    }
    expect((await desk.show(id)).status).toBe('running')
  },
)

test('the window is closed while it opens, and while a landing is under way: nothing is left half done', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const { invocation_id: id } = await desk.start('feature', 'echo more >> README.md')
  await desk.run(['agent', 'wait', id])
  const opening = openAgency(desk, [])
  await opening.begun()
  opening.terminal.pty.destroy()
  expect(await opening.ended()).toBe(128 + SIGHUP)

  const { terminal, begun, ended } = openAgency(desk, ['agent', 'land', id, '--apply'])
  await begun()
  terminal.pty.destroy()
  expect([0, 128 + SIGHUP]).toContain(await ended())
  const { landing_status } = await desk.show(id)
  if (landing_status !== 'landed') await desk.data('agent', 'land', id, '--apply')
  expect((await desk.run(['doctor'])).stdout).not.toContain('PROBLEM')
})

const FOLLOWING = [
  ['agent', 'wait'],
  ['agent', 'logs', '--follow'],
] as const

const COUNTER = 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.1; done'

test.each(['told', 'not told'] as const)(
  'verbs that go on for long, and are %s that the window is closed, end by SIGHUP',
  async (session) => {
    const desk = makeDesk()
    await desk.worktree('feature')
    const { invocation_id: id } = await desk.start('feature', COUNTER)
    const followed = FOLLOWING.map((words) => openAgency(desk, [...words, id], { session }))
    const [waiting, following] = followed
    await following?.terminal.shows('line ')
    await waiting?.begun()
    for (const { terminal } of followed) terminal.pty.destroy()
    expect(await following?.ended()).toBe(128 + SIGHUP)
    // Nothing tells it that its terminal is gone before it has something to write.
    if (session === 'not told') await desk.data('agent', 'kill', id)
    expect(await waiting?.ended()).toBe(128 + SIGHUP)
  },
)

test.each([
  ['its reader has gone', '| true', 0],
  ['it was never open', '>&-', 0],
  ['its input was never open', '<&-', 0],
  ['its disk is full', '>/dev/full', 6],
])('a list whose streams end early, because %s', async (_, redirected, status) => {
  const desk = makeDesk()
  const { terminal, ended } = openAgency(desk, ['agent', 'ls'], { redirected })
  expect(await ended()).toBe(status)
  if (status !== 0) await terminal.shows('error_code: E_DISK_FULL')
  expect(terminal.screen()).not.toContain('E_INTERNAL')
})
