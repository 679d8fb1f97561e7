import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openTerminalSession } from '../../../../src/ui/screen/tty/terminal-session.ts'

const EVENTS = ['exit', 'uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGTSTP', 'SIGCONT'] as const
const listeners = (): number[] => EVENTS.map((event) => process.listenerCount(event))

/** Streams that pass for a terminal. What is written past the stream goes to a file, which `restored` reads. */
function fakeTerminal(): { stdin: PassThrough; stdout: PassThrough; raw: boolean[]; restored: () => string } {
  const path = join(mkdtempSync(join(tmpdir(), 'terminal-')), 'written')
  const raw: boolean[] = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => void raw.push(on),
  })
  const stdout = Object.assign(new PassThrough({ highWaterMark: 2048 }), {
    isTTY: true,
    columns: 80,
    rows: 24,
    fd: openSync(path, 'w'),
  })
  return { stdin, stdout, raw, restored: () => readFileSync(path, 'utf8') }
}

test('what is no terminal is refused', () => {
  const { stdin } = fakeTerminal()
  const open = (): unknown => openTerminalSession({ stdin, stdout: new PassThrough(), env: {} })
  expect(open).toThrow(expect.objectContaining({ code: 'E_NO_TERMINAL' }))
})

test('an error while entering leaves the terminal and the process as they were', () => {
  const { stdin, stdout, raw, restored } = fakeTerminal()
  const before = listeners()
  stdout.write = () => {
    throw new Error('no room')
  }
  expect(() => openTerminalSession({ stdin, stdout, env: {} })).toThrow('no room')
  expect(raw).toEqual([true, false])
  expect(restored()).toContain('\x1b[?1049l')
  expect(listeners()).toEqual(before)
  expect(stdin.listenerCount('data')).toBe(0)
})

test('closing twice restores once, and nothing is written any more', () => {
  const { stdin, stdout, restored } = fakeTerminal()
  const before = listeners()
  const session = openTerminalSession({ stdin, stdout, env: {} })
  session.close()
  session.close()
  expect(restored().split('\x1b[?1049l')).toHaveLength(2)
  expect(listeners()).toEqual(before)
  stdout.read()
  session.output.write('late')
  expect(stdout.read()).toBe(null)
})

test('the mouse can be left to the terminal', () => {
  const { stdin, stdout } = fakeTerminal()
  openTerminalSession({ stdin, stdout, env: {}, mouse: false }).close()
  const written = String(stdout.read())
  expect(written).toContain('\x1b[?2004h')
  expect(written).not.toContain('\x1b[?1000h')
})

test('a title cannot command the terminal', () => {
  const { stdin, stdout } = fakeTerminal()
  openTerminalSession({ stdin, stdout, env: {}, title: 'a\x07\x1b[31mb' }).close()
  expect(String(stdout.read())).toContain('\x1b]2;a\\x07\\x1b[31mb\x1b\\')
})

test('a terminal that takes no more says so, and when it does again', async () => {
  const { stdin, stdout } = fakeTerminal()
  const session = openTerminalSession({ stdin, stdout, env: {} })
  onTestFinished(() => session.close())
  stdout.read()
  const drained = new Promise<void>((resolve) => session.output.onDrain(resolve))
  expect(session.output.write('x')).toBe(true)
  expect(session.output.write('y'.repeat(4096))).toBe(false)
  stdout.read()
  await drained
})

test('what stands behind the key that closes is told to nobody', () => {
  const { stdin, stdout } = fakeTerminal()
  const session = openTerminalSession({ stdin, stdout, env: {} })
  const heard: string[] = []
  session.onInput((event) => {
    if (event.kind === 'key') heard.push(event.name)
    session.close()
  })
  stdin.emit('data', Buffer.from('qDy'))
  expect(heard).toEqual(['q'])
})
