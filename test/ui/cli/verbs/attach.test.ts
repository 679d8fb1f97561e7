import { beforeAll, expect, test } from 'vitest'
import { type OuterTerminal, openTerminal } from '../../../support/processes/outer-terminal.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { runCli } from '../../../support/scene/command-line.ts'

let program: string

beforeAll(async () => {
  program = await bundleProgram('test/fixtures/attach-program.ts')
})

/** Runs `agent attach` in a shell, so that the test can see how it leaves the terminal. */
function join(id = 'b7c9'): OuterTerminal {
  const script = `sh -c 'echo pid:$$:; exec "$0" "$1" agent attach ${id}' '${process.execPath}' '${program}'; echo "status $?"; stty -a | grep -o -- '-\\?icanon'; echo over; exec sleep 100`
  return openTerminal('/bin/sh', ['-c', script])
}

async function leftAsItWas(terminal: OuterTerminal): Promise<void> {
  await terminal.shows('over')
  expect(terminal.alternate()).toBe(false)
  expect(terminal.screen()).toContain('\nicanon')
  const after = terminal.bytes().slice(terminal.bytes().lastIndexOf('\x1b[?1049h'))
  for (const reset of ['\x1b[?1000;', '\x1b[<99u', '\x1b[?7;25h', '\x1b[?1049l'])
    expect(after).toContain(reset)
}

test('the agent’s screen is drawn on a screen of our own, and keys go to the agent', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  expect(terminal.screen()).toContain('80x24')
  expect(terminal.alternate()).toBe(true)
  terminal.type('a')
  await terminal.shows('<61>')
  terminal.type('\x03')
  await terminal.shows('<03>')
  terminal.type('\x1b')
  await terminal.shows('<1b>')
  terminal.type('\x1c')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('detached; the agent goes on')
  expect(terminal.screen()).toContain('status 0')
})

test('Ctrl-\\ as the kitty keyboard sends it detaches', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('\x1b[92;5u')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('detached')
})

test('a new size of the terminal reaches the agent', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.pty.resize(100, 30)
  await terminal.shows('now 100x30')
  terminal.type('\x1c')
  await leftAsItWas(terminal)
})

test('a full screen that the agent opens and leaves gives way to what was below it', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('w')
  await terminal.shows('full screen')
  expect(terminal.screen()).not.toContain('first screen')
  terminal.type('v')
  await terminal.shows('first screen')
  expect(terminal.screen()).not.toContain('full screen')
  expect(terminal.alternate()).toBe(true)
  terminal.type('a')
  await terminal.shows('<61>')
  terminal.type('\x1c')
  await leftAsItWas(terminal)
})

test('the terminal is asked nothing for the agent, and keeps its clipboard', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('e')
  await terminal.shows('asked')
  expect(terminal.bytes()).not.toContain('\x1b]52')
  terminal.type('a')
  await terminal.shows('<61>')
  expect(terminal.screen()).not.toContain('1b5b')
  terminal.type('\x1c')
  await leftAsItWas(terminal)
})

test('how the agent ended is said', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('q')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('the agent ended with exit status 3')
})

test('a host that goes is said', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('g')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('the process that kept the agent alive is gone')
})

test('a host that lets go of a slow terminal is joined again', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('z')
  await terminal.shows('<7a>')
  terminal.type('b')
  await terminal.lacks('<7a>')
  await terminal.shows('first screen')
  terminal.type('\x1c')
  await leftAsItWas(terminal)
})

test('an agent that cannot be joined leaves the terminal as it was', async () => {
  const terminal = join('gone')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('error_code: E_INVOCATION_NOT_RUNNING')
  expect(terminal.screen()).toContain('status 4')
})

test('an error of our own leaves the terminal as it was', async () => {
  const terminal = join()
  await terminal.shows('first screen')
  terminal.type('x')
  await leftAsItWas(terminal)
  expect(terminal.screen()).toContain('broken program')
})

test.each(['SIGTERM', 'SIGHUP'] as const)('%s leaves the terminal as it was', async (signal) => {
  const terminal = join()
  await terminal.shows('first screen')
  const pid = Number(/pid:(\d+):/.exec(terminal.bytes())?.[1])
  process.kill(pid, signal)
  await leftAsItWas(terminal)
})

test('without a terminal it is refused', async () => {
  const ran = await runCli(['agent', 'attach', 'b7c9'])
  expect(ran.status).toBe(4)
  expect(ran.err).toMatch(/^error_code: E_NO_TERMINAL\n/)
})
