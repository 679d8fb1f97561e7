import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeScratch } from '../../../support/git/repository.ts'
import { type OuterTerminal, openTerminal } from '../../../support/processes/outer-terminal.ts'
import { openWatched } from '../../../support/processes/watched-program.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const { signals } = constants

let program: string

beforeAll(async () => {
  program = await bundleProgram('test/fixtures/terminal-program.ts')
})

/** Resolves to the program's pid when all of its questions are answered. */
async function ready(terminal: OuterTerminal): Promise<number> {
  await terminal.shows('<reply of attributes>')
  return Number(/pid:(\d+):/.exec(terminal.screen())?.[1])
}

describe('when the terminal is gone, so are we, by SIGHUP and without a core', () => {
  test.each([
    ['told', ''],
    ['told', 'abc'],
    ['not told', ''],
    ['not told', 'abc'],
  ] as const)('as a program that is %s of it, with the keys "%s" unread', async (session, typed) => {
    const { terminal, ended } = openWatched([process.execPath, program], { session })
    await ready(terminal)
    terminal.type(typed)
    terminal.pty.destroy()
    expect(await ended()).toBe(128 + signals.SIGHUP)
  })

  test('as the program that the terminal was opened for', async () => {
    const terminal = openTerminal(process.execPath, [program])
    await ready(terminal)
    terminal.pty.destroy()
    expect((await terminal.ended).signal).toBe(signals.SIGHUP)
  })
})

describe('a terminal that nobody reads holds up no end', () => {
  /** Returns the pid of a program that has more to write than its terminal takes. */
  async function fill(terminal: OuterTerminal, full: string): Promise<number> {
    const pid = await ready(terminal)
    terminal.pty.pause()
    terminal.type('f')
    await waitUntil(() => existsSync(full))
    return pid
  }

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const)('by %s', async (signal) => {
    const full = join(makeScratch(), 'full')
    const { terminal, ended } = openWatched([process.execPath, program, '', full])
    process.kill(await fill(terminal, full), signal)
    expect(await ended()).toBe(128 + signals[signal])
    terminal.pty.resume()
  })

  test('by closing it', async () => {
    const full = join(makeScratch(), 'full')
    const { terminal, ended } = openWatched([process.execPath, program, '', full])
    await fill(terminal, full)
    terminal.pty.destroy()
    expect(await ended()).toBe(128 + signals.SIGHUP)
  })
})
