import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { openEmulator } from '../../src/core/emulator/open-emulator.ts'
import type { LogPaths } from '../../src/core/facade/agency.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { hostDoor } from '../../src/runners/host-client/host-door.ts'
import type { Rect, Size } from '../../src/ui/screen/scene.ts'
import { type DashboardWindow, KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { AS_SWEPT, SWEEP_SEED, sweptRounds } from '../support/kills/sweep-steps.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { seededRandom } from '../support/run/seeded.ts'
import { waitUntil } from '../support/run/wait.ts'
import { looksOf, wrongCells } from '../support/terminal/cell-looks.ts'
import { drawOn } from '../support/terminal/cells.ts'

const KILLS = sweptRounds(20)
const HEADED = 3
const HEADLESS = 2
/** Milliseconds. The dashboard is killed within this time, while it comes up or while it is at work. */
const SPAN = 400

/**
 * Prints numbered lines, and pauses while it is told to rest. It writes down which rest it takes and how many lines it
 * has printed, the latter also at its end.
 */
const printer = (desk: Desk, name: string): string => `
  i=0
  while [ ! -e '${desk.scratch}/stop' ]; do
    n=0
    while [ $n -lt 10 ]; do
      n=$((n+1)); i=$((i+1)); printf '\\033[3%dmline %d of ${name}\\033[m\\n' $((i % 8)) $i
    done
    while [ -e '${desk.scratch}/rest' ]; do
      read -r rest 2>/dev/null <'${desk.scratch}/rest' && echo "$rest $i" >'${desk.scratch}/${name}.rests'
      sleep 0.1
    done
    sleep 0.1
  done
  echo $i >'${desk.scratch}/${name}.end'`

interface Agent {
  readonly name: string
  readonly record: InvocationRecord
}

/** Returns the agents in the order of the tree, which is that of their starts. */
async function startAgents(desk: Desk): Promise<Agent[]> {
  const agents: Agent[] = []
  for (let number = 0; number < HEADED + HEADLESS; number += 1) {
    const name = `agent-${number}`
    const { invocation } = await desk.data<{ invocation: InvocationRecord }>(
      ...['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--detached', '--name', name],
      ...(number < HEADED ? [] : ['--headless']),
      ...['--prompt', printer(desk, name)],
    )
    agents.push({ name, record: invocation })
  }
  return agents
}

const isHeaded = ({ record }: Agent): boolean => record.mode === 'headed'

/** All agents stand still until `goOn` is called. Resolves to the last line of each. */
async function rest(desk: Desk, agents: readonly Agent[], round: number): Promise<string[]> {
  writeFileSync(join(desk.scratch, 'rest'), `${round}\n`)
  const said = ({ name }: Agent): string[] =>
    readIfThere(join(desk.scratch, `${name}.rests`))
      .trim()
      .split(' ')
  await waitUntil(() => agents.every((agent) => said(agent)[0] === String(round)), {
    what: 'all agents rest',
  })
  return agents.map((agent) => `line ${said(agent)[1]} of ${agent.name}`)
}

const goOn = (desk: Desk): void => rmSync(join(desk.scratch, 'rest'), { force: true })

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Shows all headed agents side by side. They are pinned in the first round, and must still be pinned in the others. */
async function showAll(dashboard: DashboardWindow, agents: readonly Agent[], round: number): Promise<void> {
  await dashboard.shows('agent-4')
  const keys = agents.map((agent) => (isHeaded(agent) ? `${KEYS.down} ` : KEYS.down))
  if (round === 0) dashboard.type(keys.slice(0, agents.findLastIndex(isHeaded) + 1).join(''))
  const titles = agents.filter(isHeaded).map(({ name }) => `${name} · feature`)
  await dashboard.until(
    () => titles.every((title) => dashboard.screen().includes(title)),
    'every headed agent',
  )
}

/** What a second client sees when it joins the agent's terminal. */
async function joined({ record }: Agent, { columns, rows }: Size): Promise<Terminal> {
  const terminal = await openEmulator({ columns, rows })
  const drawn: Promise<void>[] = []
  const draw = (bytes: Uint8Array): void => void drawn.push(drawOn(terminal, Buffer.from(bytes)))
  const attachment = await hostDoor('').attach(
    record.host?.socket_path ?? '',
    { columns, rows },
    { onSnapshot: draw, onData: draw, onEnd: () => {} },
  )
  await Promise.all(drawn)
  attachment.detach()
  return terminal
}

async function expectSameScreens(dashboard: DashboardWindow, agents: readonly Agent[]): Promise<void> {
  const places = dashboard.places(HEADED)
  for (const [number, place] of places.entries()) {
    const agent = agents.filter(isHeaded)[number]
    if (agent === undefined) throw new Error('a place without an agent')
    const size = { columns: place.width, rows: place.height }
    const wrong = async (): Promise<string[]> =>
      wrongCells({ inner: await joined(agent, size), outer: dashboard.emulator, place })
    await expect.poll(wrong, { message: `pane of ${agent.name}` }).toEqual([])
  }
}

const cellsOf = (dashboard: DashboardWindow, places: readonly Rect[]): string[][][] =>
  places.map((place) => looksOf(dashboard.emulator, place))

async function kill(dashboard: DashboardWindow): Promise<void> {
  dashboard.pty.kill('SIGKILL')
  await dashboard.ended
}

/** The numbers of the lines that a log holds. */
async function numbersIn(desk: Desk, { record, name }: Agent): Promise<number[]> {
  const { paths } = await desk.data<{ paths: LogPaths }>('agent', 'logs', record.invocation_id)
  const text = record.mode === 'headed' ? recorded(paths.cast) : readFileSync(paths.raw, 'utf8')
  return [...text.matchAll(new RegExp(`mline (\\d+) of ${name}\\x1b\\[m\\r?\\n`, 'g'))].map(([, digits]) =>
    Number(digits),
  )
}

const recorded = (path: string): string =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as [number, string, string])
    .flatMap(([, code, text]) => (code === 'o' ? [text] : []))
    .join('')

test(`${KILLS} kills of the dashboard end no agent, lose no line, and each return shows what was there (${AS_SWEPT})`, async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const agents = await startAgents(desk)
  const random = seededRandom(SWEEP_SEED)
  let before: string[][][] | null = null
  for (let round = 0; round < KILLS; round += 1) {
    const dashboard = await openDashboardWindow(desk)
    if (round % 2 === 1) {
      await delay(SPAN * random())
      await kill(dashboard)
      continue
    }
    await showAll(dashboard, agents, round)
    const last = (await rest(desk, agents, round)).slice(0, HEADED)
    // The host may not have read yet what an agent printed just before its rest.
    await dashboard.until(() => last.every((line) => dashboard.screen().includes(line)), 'the last lines')
    await expectSameScreens(dashboard, agents)
    const places = dashboard.places(HEADED)
    if (before !== null) expect(cellsOf(dashboard, places), `round ${round}`).toEqual(before)
    before = random() < 0.3 ? cellsOf(dashboard, places) : null
    if (before === null) {
      goOn(desk)
      dashboard.type(random() < 0.5 ? 'z' : KEYS.enter)
      await delay(SPAN * random())
    }
    await kill(dashboard)
  }
  goOn(desk)
  const { invocations } = await desk.list()
  expect(invocations.map(({ status }) => status)).toEqual(agents.map(() => 'running'))
  writeFileSync(join(desk.scratch, 'stop'), '')
  for (const agent of agents) {
    const end = join(desk.scratch, `${agent.name}.end`)
    await waitUntil(() => readIfThere(end).endsWith('\n'), { what: `${agent.name} has counted` })
    const counted = Number(readIfThere(end))
    await waitUntil(async () => (await numbersIn(desk, agent)).at(-1) === counted, { what: 'the last line' })
    expect(await numbersIn(desk, agent)).toEqual(Array.from({ length: counted }, (_, at) => at + 1))
  }
})
