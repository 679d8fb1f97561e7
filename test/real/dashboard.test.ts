// The real claude and codex in a pane of the built dashboard, by keys alone: started by the form, trusted, asked, left
// and joined again, answered, looked at and landed.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardTerminal, openDashboard } from '../support/dashboard-terminal.ts'
import { KEYS } from '../support/dashboard-window.ts'
import { waitUntil } from '../support/wait.ts'
import { ASKING, codexConfig, ENTER, HEADED, press } from './headed-clis.ts'
import { type MockLlm, startMockLlm } from './mock-llm.ts'
import { MOCK_PROGRAM, REAL_CLIS, reasonToSkip } from './real-clis.ts'
import { makeRealDesk, type RealDesk } from './real-desk.ts'

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

  /** Its home is that of a person who wants to be asked. */
  const sitDown = async (): Promise<RealDesk & { readonly home: string; readonly settings: string }> => {
    const homeOf = (scratch: string): string => join(scratch, 'home')
    const desk = await makeRealDesk(cli, mock, (scratch) => ({
      HOME: homeOf(scratch),
      CODEX_HOME: join(homeOf(scratch), '.codex'),
    }))
    const home = homeOf(desk.scratch)
    const settings = asking.settings(home)
    mkdirSync(dirname(settings), { recursive: true })
    const own = name === 'codex' ? codexConfig(mock.env['CODEX_HOME'] ?? '') : ''
    writeFileSync(settings, `${asking.text}${own}`)
    headed.prepare(home)
    return { ...desk, home, settings }
  }

  /** By the form, from the tree. */
  const startAgent = async (dashboard: DashboardTerminal, prompt: string): Promise<void> => {
    await dashboard.shows('feature')
    dashboard.type('n')
    await dashboard.shows('claude 2')
    if (name === 'codex') {
      dashboard.type(KEYS.backTab.repeat(4))
      await press(dashboard, KEYS.right, (screen) => screen.includes('● codex'))
      dashboard.type(KEYS.tab.repeat(4))
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
    const asked = dashboard.paneText()

    dashboard.type(KEYS.giveBack)
    await dashboard.shows('new agent')
    dashboard.type('q')
    expect((await dashboard.ended).exitCode).toBe(0)
    expect(dashboard.alternate()).toBe(false)
    expect(await desk.show(id)).toMatchObject({ status: 'running', display: 'needs_input' })

    const again = await openDashboard(desk)
    await again.rowSays(name, 'needs input')
    again.type(KEYS.tab)
    await again.shows(asking.question)
    await again.showsAllOf(id)
    expect(again.paneText()).toBe(asked)
    again.type(KEYS.enter)
    await again.shows('give the keyboard back')
    await press(again, ENTER, (screen) => !screen.includes(asking.question))
    await asking.decline(again)
    await again.rowSays(name, 'to review')
    await again.showsAllOf(id)
    expect(readFileSync(join(sandbox, 'hello.txt'), 'utf8')).toBe('hello from mock\n')

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
    expect(readFileSync(desk.settings, 'utf8')).toContain(settings)
  })
})
