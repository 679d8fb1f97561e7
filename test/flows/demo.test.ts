import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from '../support/git/repository.ts'
import { PROGRAM } from '../support/processes/cli.ts'
import { type OuterTerminal, openTerminal } from '../support/processes/outer-terminal.ts'
import { killQuietly, processesWith } from '../support/processes/processes.ts'
import { waitUntil } from '../support/run/wait.ts'

const ESCAPE = '\x1b'
const DOWN = '\x1b[B'
const CTRL_C = '\x03'

interface Demo extends OuterTerminal {
  /** Where the demo makes its directory. */
  readonly scratch: string
  readonly home: string
}

function openDemo(...args: readonly string[]): Demo {
  const scratch = makeScratch()
  const home = join(scratch, 'home')
  const env = { ...process.env, TMPDIR: scratch, HOME: home, XDG_RUNTIME_DIR: scratch }
  Reflect.deleteProperty(env, 'AGENCY_DATA_DIR')
  onTestFinished(() => {
    for (const pid of processesWith('TMPDIR', scratch)) killQuietly(pid)
  })
  return { ...openTerminal(process.execPath, [PROGRAM, 'demo', ...args], env), scratch, home }
}

/** The demo's own directories, and the processes that it began. None may be left. */
const leftOf = ({ scratch }: Demo): (string | number)[] => [
  ...readdirSync(scratch).filter((name) => name.startsWith('agency-demo-')),
  ...processesWith('TMPDIR', scratch),
]

/** Searches for the agent, because agents that start in the same second come in any order. */
async function goTo(demo: Demo, agent: string): Promise<void> {
  demo.type(`/${agent}\r`)
  await demo.shows(`/${agent}`)
  demo.type(`${DOWN}${ESCAPE}`)
  await demo.lacks(`/${agent}`)
}

test('the demo is the dashboard with three agents at work; leaving it leaves nothing', async () => {
  const demo = openDemo()
  await demo.shows('Three scripts play agents')
  await demo.shows('3▶')
  await demo.shows('Translating the greeting')
  demo.type('q')
  expect(await demo.ended).toMatchObject({ exitCode: 0 })
  expect(demo.screen()).toContain('the throw-away repository is gone')
  expect(leftOf(demo).filter((left) => typeof left === 'string')).toEqual([])
  // The spawner, which starts git for the dashboard, ends a moment later.
  await waitUntil(() => leftOf(demo).length === 0, { what: `an end of all in ${demo.scratch}` })
  expect(existsSync(demo.home)).toBe(false)
})

test('what the note says can be done: a landing, a conflict, a discard, and undo', async () => {
  const demo = openDemo()
  await demo.shows('Three scripts')
  demo.type(ESCAPE)
  await demo.shows('2✓')
  await goTo(demo, 'farewell')
  demo.type('L')
  await demo.shows('on greetings: 2 commits')
  await goTo(demo, 'polite')
  demo.type('d')
  await demo.shows('IDEAS.md')
  demo.type('L')
  await demo.shows('┌ failed')
  demo.type('D')
  await demo.shows('discarded')
  demo.type('u')
  await demo.shows('undone')
  demo.type('q')
  await demo.ended
})

test('a demo leaves nothing however it ends', async () => {
  const board = await Promise.all(
    (['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGKILL'] as const).map(async (signal) => {
      const demo = openDemo()
      await demo.shows('Translating the greeting')
      demo.pty.kill(signal)
      return demo
    }),
  )
  const transcript = openDemo('--transcript')
  await transcript.shows('agency agent ls')
  transcript.type(CTRL_C)
  for (const demo of [...board, transcript]) {
    await demo.ended
    await waitUntil(() => leftOf(demo).length === 0, { what: `an end of all in ${demo.scratch}` })
  }
})

test('a demo that is kept says where, and its agents are ended', async () => {
  const demo = openDemo('--keep')
  await demo.shows('Translating the greeting')
  demo.type('q')
  await demo.ended
  const [dir = ''] = readdirSync(demo.scratch).filter((name) => name.startsWith('agency-demo-'))
  expect(demo.screen().replaceAll('\n', '')).toContain(`cd '${join(demo.scratch, dir, 'greeter')}'`)
  // The spawner, which starts git for the dashboard, ends a moment later.
  await waitUntil(() => processesWith('TMPDIR', demo.scratch).length === 0)
  rmSync(join(demo.scratch, dir), { recursive: true })
})
