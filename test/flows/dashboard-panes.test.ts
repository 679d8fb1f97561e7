// A person keeps several agents in view: pins them, changes how many panes there are, zooms, leaves, and comes back.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Rect } from '../../src/ui/screen/scene.ts'
import { type DashboardWindow, KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'

const SIZE = { columns: 160, rows: 44 }

/** The editor and the watcher have full screens of their own if they are installed. */
const AGENTS: Readonly<Record<string, string>> = {
  lister:
    'i=0; while [ $i -lt 90 ]; do i=$((i+1)); echo "row $i"; done; read -r line; echo "got $line"; read -r x',
  editor: existsSync('/usr/bin/vim') ? 'exec vim -N -u NONE -i NONE poem.txt' : 'cat poem.txt; read -r x',
  watcher: existsSync('/usr/bin/top') ? 'exec top -d 600' : 'echo "load average"; read -r x',
}

async function startAll(desk: Desk): Promise<void> {
  for (const [name, prompt] of Object.entries(AGENTS)) {
    await desk.data(
      ...['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--detached', '--name', name],
      ...['--prompt', prompt],
    )
  }
}

const textIn = ({ emulator }: DashboardWindow, { x, y, width, height }: Rect): string =>
  Array.from({ length: height }, (_, row) =>
    emulator.buffer.active.getLine(y + row)?.translateToString(true, x, x + width),
  ).join('\n')

/** What the panes show, in whatever order they are. */
const panes = (window: DashboardWindow, count: number): string =>
  window
    .places(count)
    .map((place) => textIn(window, place))
    .join('\n')

async function shows(window: DashboardWindow, count: number, ...texts: readonly string[]): Promise<void> {
  const all = (): boolean => texts.every((text) => panes(window, count).includes(text))
  await window.until(all, `${count} panes do not show ${texts.join(' and ')}`)
}

const EVERY = ['row 90', 'violets', 'load average']

/** How many of the agents the panes show. */
const seen = (window: DashboardWindow, count: number): number =>
  EVERY.filter((text) => panes(window, count).includes(text)).length

test('pinned agents stay in view through layouts and zoom, and come back with what they printed', async () => {
  const desk = makeDesk({ 'poem.txt': 'roses\nviolets\n' })
  await desk.worktree('feature')
  await startAll(desk)
  const window = await openDashboardWindow(desk, { size: SIZE })
  await window.shows('watcher')
  window.type(`${KEYS.down} ${KEYS.down} ${KEYS.down} `)
  await shows(window, 3, ...EVERY)

  for (const count of [1, 2]) {
    window.type(String(count))
    await window.until(() => seen(window, count) === count, `${count} panes do not show as many agents`)
  }
  window.type('4')
  await shows(window, 3, ...EVERY)
  window.type('z')
  await window.until(() => seen(window, 1) === 1, 'no pane has the whole stage')
  window.type('z')
  await shows(window, 3, ...EVERY)
  window.type('q')
  expect((await window.ended).exitCode).toBe(0)

  const again = await openDashboardWindow(desk, { size: SIZE })
  await shows(again, 3, ...EVERY)
  again.type('/lister\r')
  await again.shows('/lister')
  again.type(`${KEYS.down}${KEYS.enter}`)
  await again.shows('give the keyboard back')
  again.type('\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~')
  await shows(again, 3, 'row 1 ', 'violets', 'load average')
  again.type('hello\r')
  await shows(again, 3, 'got hello')
  again.type(KEYS.giveBack)
  await again.lacks('give the keyboard back')
  again.type('\x1b')
  await again.lacks('/lister')
  again.type('q')
  expect((await again.ended).exitCode).toBe(0)
  const { invocations } = await desk.list()
  expect(invocations.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
})
