// Runs the same programs on several stages: in panes of the built dashboard, in panes of tmux and, for a single
// program, behind processes that only pass bytes on. Each stage is a whole terminal. Its first program has the
// keyboard.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { type Bench, freshPath, makeBench, PROGRAM } from './fixtures.ts'
import { type OuterTerminal, openOuterTerminal } from './outer-terminal.ts'

export interface Stage {
  readonly terminal: OuterTerminal
  /** The processes between the programs and the terminal. */
  readonly pids: readonly number[]
  close(): Promise<void>
}

export type OpenStage = (programs: readonly string[]) => Promise<Stage>

/** A shell's command that runs test/bench/programs/agent.mjs. */
export const agentProgram = (...args: readonly string[]): string =>
  `exec ${process.execPath} ${resolve('test/bench/programs/agent.mjs')} ${args.join(' ')}`

export const hasTmux = (): boolean => spawnSync('tmux', ['-V']).status === 0

const KEYS = { down: '\x1b[B', up: '\x1b[A', enter: '\r', pin: ' ' }
/** Milliseconds after which the stage has followed a key of the tree, and all of its terminals are joined. */
const STEP = 150
const JOINED = 1000
/** Width of the tree in cells, on a screen of the bench's size. */
const TREE_WIDTH = 46
/** The tree has no cursor, so this is written when a terminal gets the keyboard. */
const SHOW_CURSOR = '\x1b[?25h'

/** Hosts whose agents still print. They would outlive the bench, and take CPU from what is measured next. */
const hosts = new Set<number>()
process.prependListener('exit', () => {
  for (const pid of hosts) spawnSync('kill', ['-9', String(pid)])
})

/** Runs the programs as real invocations in the built dashboard. */
export const openOurs: OpenStage = (programs) => openDashboardOf(PROGRAM, programs)

/** The same with another build of the dashboard. */
export async function openDashboardOf(program: string, programs: readonly string[]): Promise<Stage> {
  const bench = makeBench(50, program)
  bench.agency('worktree', 'create', '--name', 'bench')
  const records: InvocationRecord[] = []
  for (const prompt of programs) records.push(await startHeaded(bench, prompt))
  const terminal = openDashboard(bench)
  await terminal.writes(records.at(-1)?.invocation_id.slice(-4) ?? '')
  await showAll(terminal, programs.length)
  return {
    terminal,
    pids: [terminal.pid, ...records.map(({ host }) => host?.pid ?? Number.NaN)],
    close: async () => {
      await terminal.end()
      for (const record of records) endAgent(bench, record)
    },
  }
}

export const openDashboard = ({ program, root, env }: Bench, ...args: readonly string[]): OuterTerminal =>
  openOuterTerminal({ argv: [process.execPath, program, ...args], cwd: root, env })

/** Starts each agent in a second of its own, because the tree sorts agents by the second of their start. */
async function startHeaded({ agency }: Bench, prompt: string): Promise<InvocationRecord> {
  const second = Math.floor(Date.now() / 1000)
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--detached']
  const envelope = JSON.parse(agency(...start, '--prompt', prompt, '--json'))
  while (Math.floor(Date.now() / 1000) === second) await delay(10)
  const record: InvocationRecord = envelope.data.invocation
  if (record.host !== null) hosts.add(record.host.pid)
  return record
}

function endAgent({ agency }: Bench, { invocation_id, host }: InvocationRecord): void {
  agency('agent', 'kill', invocation_id)
  if (host !== null) hosts.delete(host.pid)
}

async function showAll(terminal: OuterTerminal, count: number): Promise<void> {
  const press = async (keys: string): Promise<void> => {
    terminal.type(keys)
    await delay(STEP)
  }
  await press(String(count))
  for (let n = 0; n < count; n++) {
    await press(KEYS.down)
    await press(KEYS.pin)
  }
  for (let n = 1; n < count; n++) await press(KEYS.up)
  await delay(JOINED)
  const focused = terminal.writes(SHOW_CURSOR)
  terminal.type(KEYS.enter)
  await focused
}

/**
 * tmux with a list to the left, so that it draws the same picture as ours. Over the full width of a screen tmux lets
 * the terminal scroll. Beside anything else it has to draw each line anew, as ours always does.
 */
export const openTmuxWithList: OpenStage = (programs) => openTmux(programs, TREE_WIDTH)

export async function openTmux(programs: readonly string[], listWidth = 0): Promise<Stage> {
  const socket = freshPath('tmux')
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  const [first = '', ...others] = programs
  tmux('new-session', '-d', '-x', '200', '-y', '60', first)
  tmux('set', '-g', 'status', 'off')
  for (const program of others) tmux('split-window', program)
  tmux('select-layout', 'tiled')
  if (listWidth > 0) tmux('split-window', '-fhbd', '-l', String(listWidth), 'echo agents; exec cat')
  tmux('select-pane', '-t', listWidth > 0 ? '1' : '0')
  const terminal = openOuterTerminal({ argv: ['tmux', '-S', socket, 'attach'], cwd: '/' })
  await delay(JOINED)
  return {
    terminal,
    pids: [Number(tmux('display-message', '-p', '#{pid}')), terminal.pid],
    close: async () => {
      tmux('kill-server')
      await terminal.end()
    },
  }
}

/** Puts two bare processes of Node in the place of dashboard and host. */
export async function openRelays([program = '']: readonly string[]): Promise<Stage> {
  const relay = resolve('test/bench/programs/relay.mjs')
  const socket = freshPath('relay')
  const keeper = spawn(process.execPath, [relay, 'keep', socket, program], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  await delay(JOINED)
  const terminal = openOuterTerminal({ argv: [process.execPath, relay, 'show', socket], cwd: '/' })
  await delay(JOINED)
  return {
    terminal,
    pids: [terminal.pid, keeper.pid ?? Number.NaN],
    close: async () => {
      keeper.stdin.end()
      await terminal.end()
    },
  }
}
