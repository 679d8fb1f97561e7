import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DashboardWindow, KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'

/** A shell around the dashboard, which says how the dashboard ended and how it left the terminal. */
const UNDER = [
  '/bin/sh',
  '-c',
  `before=$(stty -g); echo "$0 here"; "$@"; echo "status $?"; [ "$before" = "$(stty -g)" ] && echo same tty; echo over; exec sleep 100`,
  'shell',
] as const

/** The agent prints more than its pane holds, and then repeats what it is sent. */
const LISTENER = `
  i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; done
  trap 'echo interrupted' INT
  while :; do read -r line && echo "heard $line"; done`

async function startListener(desk: Desk): Promise<void> {
  await desk.worktree('feature')
  await desk.data(
    ...['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--detached', '--prompt', LISTENER],
  )
}

/** Opens the dashboard, and selects the agent. */
async function open(
  desk: Desk,
  under: readonly [string, ...string[]] = [...UNDER],
): Promise<DashboardWindow> {
  const dashboard = await openDashboardWindow(desk, { under })
  await dashboard.shows('working')
  dashboard.type(KEYS.down)
  await dashboard.shows('line 60')
  return dashboard
}

/** The dashboard's own process: the only child of the shell around it. */
const pidOf = ({ pty: { pid } }: DashboardWindow): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

async function leftAsItWas(dashboard: DashboardWindow, status: number): Promise<void> {
  await dashboard.shows('over')
  expect(dashboard.screen()).toContain(`status ${status}`)
  expect(dashboard.screen()).toContain('same tty')
  expect(dashboard.modes().bracketedPasteMode).toBe(false)
  expectPlain(dashboard)
}

/** Bracketed paste is not looked at, because a shell that edits lines asks for it itself. */
function expectPlain(dashboard: DashboardWindow): void {
  expect(dashboard.alternate()).toBe(false)
  expect(dashboard.modes()).toMatchObject({
    mouseTrackingMode: 'none',
    sendFocusMode: false,
    synchronizedOutputMode: false,
    wraparoundMode: true,
  })
  const bytes = dashboard.bytes()
  const count = (text: string): number => bytes.split(text).length - 1
  expect(bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?25l'))
  expect(count('\x1b[<u')).toBe(count('\x1b[>5u'))
  expect(count('\x1b[23;0t')).toBe(count('\x1b[22;0t'))
}

test('q leaves agents running, and whoever comes back scrolls through what was printed', async () => {
  const desk = makeDesk()
  await startListener(desk)
  const first = await open(desk)
  first.type('q')
  await leftAsItWas(first, 0)
  const { invocations } = await desk.list()
  expect(invocations.map(({ status }) => status)).toEqual(['running'])

  const second = await open(desk)
  second.type(KEYS.enter)
  await second.shows('give the keyboard back')
  second.type('\x1b[5~')
  await second.shows('line 20')
  second.type('\x1b[5~\x1b[5~')
  await second.shows('line 1 ')
  second.type('hello\r')
  await second.shows('heard hello')
})

test('Ctrl-C in a pane is the agent’s; elsewhere it ends nothing, and says how to leave', async () => {
  const desk = makeDesk()
  await startListener(desk)
  const dashboard = await open(desk)
  dashboard.type(KEYS.interrupt)
  await dashboard.shows('q quits')
  dashboard.type(KEYS.enter)
  await dashboard.shows('give the keyboard back')
  dashboard.type(KEYS.interrupt)
  await dashboard.shows('interrupted')
  dashboard.type(`still here\r`)
  await dashboard.shows('heard still here')
  const { invocations } = await desk.list()
  expect(invocations.map(({ status }) => status)).toEqual(['running'])
})

test('Ctrl-Z gives the shell its terminal, and fg draws everything anew', async () => {
  const desk = makeDesk()
  await startListener(desk)
  const shell = 'NODE="$1" PROGRAM="$2" PS1="prompt: " exec bash --norc --noprofile -i'
  const dashboard = await openDashboardWindow(desk, { under: ['/bin/sh', '-c', shell, 'shell'] })
  await dashboard.shows('prompt:')
  dashboard.type('"$NODE" "$PROGRAM"\r')
  await dashboard.shows('working')
  dashboard.type(KEYS.down)
  await dashboard.shows('line 60')
  dashboard.type('\x1a')
  await dashboard.shows('Stopped')
  expectPlain(dashboard)
  const written = dashboard.bytes().length
  dashboard.type('fg\r')
  await dashboard.shows('line 60')
  expect(dashboard.bytes().slice(written)).toContain('\x1b[2J')
  dashboard.type(KEYS.enter)
  await dashboard.shows('give the keyboard back')
  dashboard.type(`again\r${KEYS.giveBack}`)
  await dashboard.shows('heard again')
  await dashboard.shows('new agent')
  dashboard.type('q')
  await dashboard.until(() => !dashboard.alternate(), 'the shell')
  expectPlain(dashboard)
})

/** SIGUSR2 makes it throw, as a mistake of ours would. */
const MISTAKE = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error('a mistake \\x1b[31m') }))`

test.each([
  ['SIGHUP', 129],
  ['SIGTERM', 143],
  ['SIGUSR2', 70],
] as const)('%s leaves the terminal as it was, and agents alone', async (signal, status) => {
  const desk = makeDesk()
  await startListener(desk)
  const mistake = join(desk.scratch, 'mistake.cjs')
  writeFileSync(mistake, MISTAKE)
  const dashboard = await openDashboardWindow(desk, {
    under: [...UNDER],
    env: { NODE_OPTIONS: `--require "${mistake}"` },
  })
  await dashboard.shows('working')
  process.kill(pidOf(dashboard), signal)
  await leftAsItWas(dashboard, status)
  if (signal === 'SIGUSR2') expect(dashboard.screen()).toContain('a mistake \\x1b[31m')
  const { invocations } = await desk.list()
  expect(invocations.map((invocation) => invocation.status)).toEqual(['running'])
})

test('an editor and a shell are given the terminal, and give it back', async () => {
  const desk = makeDesk()
  await startListener(desk)
  const editor = join(desk.scratch, 'editor')
  writeFileSync(
    editor,
    '#!/bin/sh\necho "edits $1"\nstty -a | grep -o -- "-\\?icanon"\nread -r line\nexit 0\n',
  )
  chmodSync(editor, 0o755)
  const env = { EDITOR: `'${editor}'`, SHELL: '/bin/sh', PS1: 'ready> ' }
  const dashboard = await openDashboardWindow(desk, { under: [...UNDER], env })
  await dashboard.shows('working')
  dashboard.type(KEYS.down)
  await dashboard.shows('line 60')
  dashboard.type('o')
  await dashboard.shows('edits ')
  await dashboard.shows('icanon')
  expectPlain(dashboard)
  dashboard.type('\r')
  await dashboard.shows('new agent')
  dashboard.type(KEYS.up)
  await dashboard.shows('S shell')
  dashboard.type('S')
  await dashboard.until(() => !dashboard.alternate(), 'a shell')
  await dashboard.shows('ready>')
  dashboard.type('echo "in $(pwd)"; stty -a | grep -o -- "-\\?icanon"; exit\r')
  await dashboard.until(() => dashboard.alternate(), 'the dashboard')
  expect(dashboard.bytes()).toMatch(/in \S+.*\/tree\r\n/)
  dashboard.type('q')
  await leftAsItWas(dashboard, 0)
})
