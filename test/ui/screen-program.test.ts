import { expect, test } from 'vitest'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import { type Desk, makeDesk, PROGRAM } from '../support/processes/cli.ts'
import { openTerminalAt } from '../support/processes/outer-terminal.ts'
import { processesWith } from '../support/processes/processes.ts'
import { bundleContents, packageOf } from '../support/run/bundle-contents.ts'
import { waitUntil } from '../support/run/wait.ts'

test('what opens the dashboard brings no other command', async () => {
  const contents = await bundleContents('src/ui/screen-program.ts')
  expect(contents.map(packageOf)).not.toContain('commander')
  for (const file of ['commands', 'parser', 'demo', 'process'])
    expect(contents).not.toContain(`src/ui/cli/${file}.ts`)
  expect(contents).toEqual(
    expect.arrayContaining([
      'src/ui/screen/app/open-dashboard.ts',
      'src/ui/screen/pane/open-pane.ts',
      'src/core/operations/integration/recover-journal.ts',
      'src/ui/person/editor.ts',
    ]),
  )
})

const openOn = (desk: Desk, args: readonly string[], cwd = desk.root) =>
  openTerminalAt([process.execPath, PROGRAM, ...args], { cwd, env: { ...process.env, ...desk.env } })

test('the dashboard is the same by it as by the whole program', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const both = [openOn(desk, []), openOn(desk, ['watch'])]
  for (const terminal of both)
    await terminal.until((screen) => / feature .*\bmain\b/s.test(screen), 'the worktree')
  const [alone, whole] = both
  // Ages grow meanwhile, and each draws when it can.
  const shown = (terminal: typeof alone): string => (terminal?.screen() ?? '').replace(/ *\d+[smh]\b/g, '')
  await expect.poll(() => shown(alone)).toBe(shown(whole))
  for (const terminal of both) {
    terminal.type('q')
    expect((await terminal.ended).exitCode).toBe(0)
    expect(terminal.alternate()).toBe(false)
  }
})

test('a dashboard that stays open has a small process start its git, which ends with it', async () => {
  const desk = makeDesk()
  const { titleOf } = systemProcesses()
  const spawners = (): number[] =>
    processesWith('AGENCY_DATA_DIR', desk.dataDir).filter((pid) => titleOf(pid) === 'agency-spawner')
  const both = [openOn(desk, []), openOn(desk, ['watch'])]
  await waitUntil(() => spawners().length === 2, { what: 'each has one' })
  for (const terminal of both) {
    terminal.type('q')
    await terminal.ended
  }
  await waitUntil(() => spawners().length === 0, { what: 'they are gone' })
})

test('where there is no repository it says so as the whole program does', async () => {
  const desk = makeDesk()
  const both = [openOn(desk, [], '/'), openOn(desk, ['watch'], '/')]
  const endings = await Promise.all(both.map(({ ended }) => ended))
  await waitUntil(() => both[0]?.screen() === both[1]?.screen(), { what: 'the same' })
  expect(both[0]?.screen()).toContain('E_NOT_A_REPOSITORY')
  expect(endings[0]).toEqual(endings[1])
})
