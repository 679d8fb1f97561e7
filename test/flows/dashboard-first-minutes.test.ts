// A newcomer's first minutes in a repository without worktrees, by keys alone.

import { expect, it } from 'vitest'
import { KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import type { OuterTerminal } from '../support/processes/outer-terminal.ts'

const SIZE = { columns: 110, rows: 34 }

/** Fills in the form that `n` opens: a headless shell agent with this script. */
async function startHeadless(dashboard: OuterTerminal, script: string): Promise<void> {
  dashboard.type('n')
  await dashboard.shows('New agent')
  await dashboard.shows('● shell')
  await dashboard.shows('● local')
  // Goes from the prompt back over the box to the mode, and on to headless.
  dashboard.type(KEYS.backTab)
  dashboard.type(KEYS.backTab)
  await dashboard.until((screen) => /Mode +.*headless/.test(screen), 'there is no mode')
  dashboard.type(KEYS.right)
  await dashboard.shows('● headless')
  dashboard.type(KEYS.tab)
  dashboard.type(KEYS.tab)
  dashboard.type(script)
  await dashboard.shows(script.slice(-20))
  dashboard.type(KEYS.submit)
  await dashboard.lacks('New agent')
}

async function startHeaded(dashboard: OuterTerminal): Promise<void> {
  dashboard.type('n')
  await dashboard.shows('New agent')
  await dashboard.shows('● shell')
  dashboard.type(KEYS.enter)
  await dashboard.shows('working')
  await dashboard.shows('give the keyboard back')
}

const idOf = async (desk: Desk, mode: string): Promise<string> => {
  const { invocations } = await desk.list()
  const found = invocations.find((one) => one.mode === mode)
  if (found === undefined) throw new Error(`there is no ${mode} agent`)
  return found.invocation_id.slice(-4)
}

it('takes a newcomer from an empty list to landed work, back, away and home again', async () => {
  const desk = makeDesk()
  const env = { PS1: 'prompt> ', ENV: '' }
  const dashboard = await openDashboardWindow(desk, { size: SIZE, env })
  await dashboard.shows('No worktrees yet')
  await dashboard.shows('n starts an agent')

  // A headed agent in a worktree that is made for it: its terminal is on the screen and has the keyboard.
  await startHeaded(dashboard)
  await dashboard.shows('prompt>')
  dashboard.type('echo "seen $((40 + 2)) times"\r')
  await dashboard.shows('seen 42 times')
  dashboard.type(KEYS.giveBack)
  await dashboard.lacks('give the keyboard back')

  // A headless one beside it: its log is on the screen, and it is ready to be landed.
  await startHeadless(dashboard, 'echo working; echo new > made.txt; git add -A; git commit -qm "Make it"')
  await dashboard.shows('✓ ready')
  const headless = await idOf(desk, 'headless')
  const headed = await idOf(desk, 'headed')
  await dashboard.shows('+1 −0')

  dashboard.type('d')
  await dashboard.shows('1 + new')
  dashboard.type(KEYS.escape)
  await dashboard.lacks('1 + new')
  dashboard.type('L')
  await dashboard.shows(`landed ${headless} on`)
  await dashboard.until((screen) => !new RegExp(`[├└] ${headless}`).test(screen), 'it is still in the tree')
  dashboard.type('u')
  await dashboard.shows('undone: landed')
  await dashboard.until((screen) => new RegExp(`[├└] ${headless}`).test(screen), 'it is not back')
  dashboard.type('D')
  await dashboard.shows(`discarded ${headless}`)
  dashboard.type('u')
  await dashboard.shows('undone: discarded')
  await dashboard.until((screen) => new RegExp(`[├└] ${headless}`).test(screen), 'it is not back again')

  // Names, slots, search, help, palette.
  dashboard.type('R')
  await dashboard.shows('name')
  dashboard.type(`maker${KEYS.enter}`)
  await dashboard.shows('is now called maker')
  dashboard.type(' ')
  dashboard.type(KEYS.up)
  await dashboard.until(
    (screen) => screen.includes(`${headed} shell · `) && screen.includes(`${headless} maker · `),
    'both are not on the stage',
  )
  dashboard.type('/')
  dashboard.type('maker')
  await dashboard.shows('/maker')
  dashboard.type(KEYS.escape)
  await dashboard.lacks('/maker')
  dashboard.type('?')
  await dashboard.shows('Keys')
  dashboard.type(KEYS.escape)
  await dashboard.lacks('type to search')
  dashboard.type(':')
  await dashboard.shows('Actions')
  dashboard.type(`zoom${KEYS.enter}`)
  await dashboard.lacks('Actions')
  dashboard.type('q')
  expect((await dashboard.ended).exitCode).toBe(0)

  // Agents go on, the stage is as it was left, and what scrolled by in a terminal is there again.
  expect((await desk.show(headed)).status).toBe('running')
  const again = await openDashboardWindow(desk, { size: SIZE, env })
  await again.shows(`${headless} maker · `)
  again.type(KEYS.up)
  await again.shows('seen 42 times')
  again.type(KEYS.enter)
  await again.shows('give the keyboard back')
  again.type('echo still $((1 + 1)) here\r')
  await again.shows('still 2 here')
  again.type(KEYS.giveBack)
  await again.lacks('give the keyboard back')
  again.type('q')
  expect((await again.ended).exitCode).toBe(0)
})
