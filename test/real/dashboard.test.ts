// The real claude and codex in a pane of the built dashboard, by keys alone: started by the form, trusted, asked, left
// and joined again, answered, looked at and landed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type DashboardTerminal, openDashboard } from '../support/dashboard/dashboard-terminal.ts'
import { KEYS } from '../support/dashboard/dashboard-window.ts'
import { writeFiles } from '../support/git/repository.ts'
import { waitUntil } from '../support/run/wait.ts'
import { looksOf } from '../support/terminal/cell-looks.ts'
import { ASKING, codexConfig, ENTER, HEADED, press } from './headed-clis.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { makeRealDesk, type RealDesk } from './real-desk.ts'

/** Shift+Enter as terminals with the kitty keyboard send it. */
const SHIFT_ENTER = '\x1b[13;2u'
/** The mouse is over the pane. */
const WHEEL_UP = '\x1b[<64;60;10M'

/** Files of the person's own, beside the settings. */
const OWN_FILES = {
  '.bashrc': 'alias ll="ls -l"\n',
  '.gitconfig': '[user]\n\tname = Person\n\temail = person@example.com\n',
  '.claude/CLAUDE.md': 'Be brief.\n',
  '.codex/AGENTS.md': 'Be brief.\n',
}
/** Names in the home that the CLIs themselves write. */
const THEIRS = /^\.(claude(\.json)?|codex|local|cache|npm)$/

/** The text below the prompt. Above it something moves. */
const saidIn = (dashboard: DashboardTerminal): string =>
  dashboard.paneText().split('Write it').slice(1).join()

const TRUE_COLOUR = / fg 3[0-9a-f]{6} /

/** Leaves the dashboard from the agent's pane. */
async function quit(dashboard: DashboardTerminal): Promise<void> {
  dashboard.type(KEYS.giveBack)
  await dashboard.shows('new agent')
  dashboard.type('q')
  expect((await dashboard.ended).exitCode).toBe(0)
  expect(dashboard.alternate()).toBe(false)
}

let mock: MockLlm
beforeAll(async () => {
  if (REAL_CLIS.some((row) => reasonToSkip(row) === null)) mock = await startMockLlm(MOCK_PROGRAM)
})
afterAll(() => mock?.stop())

describe.each(REAL_CLIS)('$runner.name', (cli) => {
  const reason = reasonToSkip(cli)
  if (reason !== null) return test.skip(`skipped: ${reason}`)
  const name = cli.runner.name as keyof typeof HEADED
  const headed = HEADED[name]
  const asking = ASKING[name]

  /** Makes a desk. By default, its home is that of a person who wants to be asked. */
  const sitDown = async (
    wishes: string = asking.text,
  ): Promise<RealDesk & { readonly home: string; readonly settings: string }> => {
    const homeOf = (scratch: string): string => join(scratch, 'home')
    const desk = await makeRealDesk(cli, mock, (scratch) => ({
      HOME: homeOf(scratch),
      CODEX_HOME: join(homeOf(scratch), '.codex'),
    }))
    const home = homeOf(desk.scratch)
    const settings = asking.settings(home)
    mkdirSync(dirname(settings), { recursive: true })
    const own = name === 'codex' ? codexConfig(mock.env['CODEX_HOME'] ?? '') : ''
    writeFileSync(settings, `${wishes}${own}`)
    writeFiles(home, OWN_FILES)
    headed.prepare(home)
    return { ...desk, home, settings }
  }

  /** Starts an agent from the tree, by the form. */
  const startAgent = async (dashboard: DashboardTerminal, prompt: string): Promise<void> => {
    await dashboard.shows('feature')
    dashboard.type('n')
    await dashboard.shows('claude 2')
    if (name === 'codex') {
      dashboard.type(KEYS.backTab.repeat(5))
      await press(dashboard, KEYS.right, (screen) => screen.includes('● codex'))
      dashboard.type(KEYS.tab.repeat(5))
    }
    dashboard.type(prompt)
    if (prompt !== '') await dashboard.shows(prompt)
    dashboard.type(KEYS.submit)
  }

  test('started by the form, trusted, asked, left and joined again, answered, looked at and landed', async () => {
    const desk = await sitDown()
    const settings = readFileSync(desk.settings, 'utf8')
    const dashboard = await openDashboard(desk)
    await startAgent(dashboard, 'Write it [[scenario:write]]')
    await dashboard.rowSays(name, 'needs input')
    const { invocation_id: id, sandbox_path: sandbox } = await desk.last()
    await dashboard.showsAllOf(id)
    await headed.answer(dashboard)
    await dashboard.shows(asking.question)
    await dashboard.rowSays(name, 'needs input')
    await dashboard.showsAllOf(id)
    const asked = saidIn(dashboard)

    await quit(dashboard)
    expect(await desk.show(id)).toMatchObject({ status: 'running', display: 'needs_input' })

    const again = await openDashboard(desk)
    await again.rowSays(name, 'needs input')
    again.type(KEYS.tab)
    await again.shows(asking.question)
    await again.showsAllOf(id)
    expect(saidIn(again)).toBe(asked)
    again.type(KEYS.enter)
    await again.shows('give the keyboard back')
    await press(again, ENTER, (screen) => !screen.includes(asking.question))
    await asking.decline(again)
    await again.rowSays(name, 'to review')
    await again.showsAllOf(id)
    expect(readFileSync(join(showPath(sandbox), 'hello.txt'), 'utf8')).toBe('hello from mock\n')

    again.type(KEYS.giveBack)
    await again.shows('new agent')
    again.type('d')
    await again.shows('+ hello from mock')
    again.type('s')
    await again.rowSays(name, 'ready')
    again.type('L')
    await again.shows('landed')
    const tree = (await desk.run(['worktree', 'path', 'feature'])).stdout
    await waitUntil(() => readFileSync(join(tree, 'hello.txt'), 'utf8') === 'hello from mock\n')
    // The CLIs may add notes of their own to their settings, most of all that a repository is trusted.
    expect(readFileSync(desk.settings, 'utf8')).toContain(settings)
    for (const [path, text] of Object.entries(OWN_FILES)) {
      expect(readFileSync(join(desk.home, path), 'utf8')).toBe(text)
    }
    expect(readdirSync(desk.home).filter((entry) => !THEIRS.test(entry))).toEqual(['.bashrc', '.gitconfig'])
  })

  test('its keys, pastes and sizes are the agent’s, and so are Esc and Ctrl-C; it works on while nobody looks', async () => {
    const desk = await sitDown(asking.none)
    const dashboard = await openDashboard(desk)
    await startAgent(dashboard, '')
    await headed.answer(dashboard)
    await dashboard.rowSays(name, 'idle')
    const { invocation_id: id } = await desk.last()
    const before = mock.requests('slow')
    dashboard.type('\x1b[200~first line\nsecond 界 🎉 line\x1b[201~')
    await dashboard.shows('second 界 🎉 line')
    dashboard.type(SHIFT_ENTER)
    dashboard.type('[[scenario:slow]]')
    await dashboard.shows('[[scenario:slow]]')
    expect(dashboard.paneText()).toMatch(/first line *\n.*second 界 🎉 line *\n.*\[\[scenario:slow\]\]/)
    await dashboard.showsAllOf(id)
    expect(mock.requests('slow')).toBe(before)

    dashboard.type(ENTER)
    await mock.waitForRequest('slow', before)
    await dashboard.rowSays(name, 'working')
    await dashboard.shows('slow 3')
    dashboard.resize(100, 30)
    await dashboard.shows('slow 8')
    await dashboard.showsAllOf(id)
    dashboard.resize(120, 40)
    await dashboard.shows('slow 12')
    await dashboard.showsAllOf(id)
    expect(
      looksOf(dashboard.emulator, dashboard.pane())
        .flat()
        .some((look) => TRUE_COLOUR.test(look)),
    ).toBe(true)

    await quit(dashboard)
    expect(await desk.show(id)).toMatchObject({ display: 'working' })
    const again = await openDashboard(desk)
    await again.rowSays(name, 'working')
    again.type(KEYS.down)
    await again.shows('slow 20')
    again.type(KEYS.enter)
    await again.shows('give the keyboard back')
    await again.showsAllOf(id)
    again.type(KEYS.escape)
    await again.shows(asking.interrupted)
    await again.rowSays(name, 'idle')
    await again.shows('give the keyboard back')

    await press(again, KEYS.interrupt, (screen) => screen.includes('ended'))
    await again.rowSays(name, 'ready')
    expect(await desk.show(id)).toMatchObject({ status: 'finished', exit_reason: 'exited' })
  })

  test('the wheel scrolls what it has said', async () => {
    const desk = await sitDown(asking.none)
    const dashboard = await openDashboard(desk)
    await startAgent(dashboard, 'Go on [[scenario:burst]]')
    await headed.answer(dashboard)
    await dashboard.shows('burst 2999')
    await dashboard.rowSays(name, 'to review')
    await press(dashboard, WHEEL_UP.repeat(20), (screen) => screen.includes('burst 0 burst 1 '))
    await dashboard.showsAllOf((await desk.last()).invocation_id)
  })
})
