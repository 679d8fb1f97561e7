// Whatever an agent leaves in the place of files, the dashboard answers keys, and ends when it is told to.

import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type DashboardWindow, KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { makeDesk } from '../support/processes/cli.ts'
import { sampledOf } from '../support/run/sampled.ts'
import { waitUntil } from '../support/run/wait.ts'

/** A shell around the dashboard, which says how the dashboard ended. */
const UNDER = ['/bin/sh', '-c', '"$@"; echo "status $?"; exec sleep 100', 'shell'] as const

/** The dashboard's own process: the only child of the shell around it. */
const pidOf = ({ pty: { pid } }: DashboardWindow): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

const QUIET = { throwIfNoEntry: false } as const

/** The last one is deep in the tree, so that git itself gets stuck in it while the dashboard waits for git. */
const PIPES = `
  G=$(git rev-parse --absolute-git-dir); C=$(git rev-parse --path-format=absolute --git-common-dir)
  O=../../../invocations; I=../../../invocations/$AGENCY_INVOCATION_ID
  until grep -q '"status": "running"' $I/meta.json; do sleep 0.02; done
  echo work > work; git add work; git commit -qm work; mkdir sub; echo x > sub/file
  for f in $G/index $G/HEAD $G/gitdir $G/commondir $C/$(git symbolic-ref HEAD) $I/events.jsonl $I/runner_status.json \\
    ../logs/stream.jsonl ../logs/raw.jsonl ../logs/stderr.log ../checkpoints.json \\
    ../../../operations.jsonl ../../../ui.json ../../../closed.json ../../../.lock sub/.gitignore; do
    rm -rf "$f"; mkfifo "$f"
  done
  exec sleep 1000`

const ENDED = /^status \d+/m

const ENDS: readonly [string, string, (dashboard: DashboardWindow) => Promise<void>][] = [
  [
    'SIGTERM',
    'status 143',
    async (dashboard: DashboardWindow) => void process.kill(pidOf(dashboard), 'SIGTERM'),
  ],
  [
    'SIGHUP',
    'status 129',
    async (dashboard: DashboardWindow) => void process.kill(pidOf(dashboard), 'SIGHUP'),
  ],
  [
    'Ctrl-C, pressed twice,',
    'status 0',
    async (dashboard: DashboardWindow) => {
      dashboard.type(KEYS.interrupt)
      await dashboard.shows('q quits')
      dashboard.type(KEYS.interrupt)
    },
  ],
]

test.each(sampledOf(ENDS))(
  'beside an agent that left pipes everywhere, keys are answered, and %s ends it',
  async (_how, status, end) => {
    const desk = makeDesk()
    await desk.worktree('feature')
    const watching = await openDashboardWindow(desk, { under: [...UNDER] })
    const agent = await desk.start('feature', PIPES)
    await waitUntil(
      () => lstatSync(join(showPath(agent.sandbox_path), 'sub/.gitignore'), QUIET)?.isFIFO() === true,
    )
    for (const dashboard of [watching, await openDashboardWindow(desk, { under: [...UNDER] })]) {
      await dashboard.shows('feature')
      dashboard.type(KEYS.down)
      for (const face of ['d', 'l', 't']) {
        dashboard.type(face)
        await answersKeys(dashboard)
      }
      await end(dashboard)
      await dashboard.until(() => ENDED.test(dashboard.screen()), 'no end')
      expect(ENDED.exec(dashboard.screen())?.[0]).toBe(status)
    }
  },
)

async function answersKeys(dashboard: DashboardWindow): Promise<void> {
  dashboard.type('?')
  await dashboard.shows('type to search')
  dashboard.type(KEYS.escape)
  await dashboard.until(() => !dashboard.screen().includes('type to search'), 'no help')
}
