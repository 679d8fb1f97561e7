// agency agent: starting agents, watching them, ending them.

import type { Agency, InvocationView } from '../../core/agency.ts'
import { AgencyError, EXIT } from '../../core/model/errors.ts'
import { isClosed } from '../../core/model/invocation.ts'
import { type Line, span } from '../text/line.ts'
import type { ArgumentRow, Call, CommandRow, Page, Result } from './command.ts'
import { operand } from './command.ts'
import { START_DESCRIPTION, START_OPTIONS } from './start-options.ts'
import { nameOf, viewInvocation, viewInvocations } from './views.ts'
import { openPath } from './worktree-commands.ts'

export const INVOCATION: ArgumentRow = { name: 'id', completes: 'invocation' }

export const AGENT_COMMANDS: readonly CommandRow[] = [
  {
    path: ['agent', 'start'],
    summary: 'Start an agent in a sandbox of its own',
    description: START_DESCRIPTION,
    options: [
      {
        flags: '--worktree <worktree>',
        summary: 'the worktree that it works towards',
        completes: 'worktree',
      },
      ...START_OPTIONS,
      { flags: '--name <name>', summary: 'a label for lists' },
    ],
    rest: true,
    examples: [
      { line: 'agency agent start --worktree my-feature', says: "join a new agent's terminal" },
      {
        line: "agency agent start --worktree my-feature --headless --prompt 'Fix the failing test'",
        says: 'watch it work through a prompt',
      },
      {
        line: 'agency agent start --worktree my-feature --runner codex --headless --detached --prompt-file - < task.md',
        says: 'leave it to work, with the prompt from standard input',
      },
      {
        line: "agency agent start --worktree my-feature --runner shell --headless --prompt 'npm test'",
        says: 'any script is an agent',
      },
    ],
    run: startInWorktree,
  },
  {
    path: ['agent', 'ls'],
    summary: 'List agents',
    description: 'Those that were landed or discarded, and broken ones, only with --all.',
    options: [
      { flags: '--worktree <worktree>', summary: 'only those of one worktree', completes: 'worktree' },
      { flags: '--all', summary: 'landed, discarded and broken ones too' },
    ],
    examples: [{ line: 'agency agent ls --json', says: 'for scripts' }],
    run: listAgents,
  },
  {
    path: ['agent', 'show'],
    summary: 'Show all about one agent, and what happened to it',
    args: [INVOCATION],
    examples: [{ line: 'agency agent show b7c9', says: 'by id, prefix or the last four characters' }],
    run: showAgent,
  },
  {
    path: ['agent', 'attach'],
    summary: "Join a headed agent's terminal; Ctrl-\\ leaves it",
    args: [INVOCATION],
    examples: [{ line: 'agency agent attach b7c9', says: 'the agent goes on when you leave' }],
    run: async (call) => {
      const { attachTerminal, viewEnding } = await import('./attach.ts')
      const ending = await attachTerminal(await call.agency(), operand(call), call.console)
      return { data: { ending }, view: () => viewEnding(operand(call), ending) }
    },
  },
  {
    path: ['agent', 'send'],
    summary: "Type text into a headed agent's terminal, and Enter",
    args: [INVOCATION, { name: 'text', completes: 'nothing' }],
    options: [{ flags: '--no-enter', summary: 'do not press Enter after it' }],
    examples: [
      { line: "agency agent send b7c9 'yes, go on'", says: 'answer a question' },
      { line: 'agency agent send b7c9 - < reply.txt', says: 'from standard input' },
    ],
    run: sendText,
  },
  {
    path: ['agent', 'logs'],
    summary: 'Show what an agent said and did',
    description:
      "Readable and safe. --raw gives the runner's own output: byte for byte into a pipe or file, with control\ncharacters made visible on a terminal. For a headed agent it is the recording (asciicast), for asciinema play.",
    args: [INVOCATION],
    options: [
      { flags: '--follow', summary: 'go on until the agent ends' },
      { flags: '--raw', summary: "the runner's own output" },
      { flags: '--stderr', summary: 'what it wrote to standard error' },
    ],
    examples: [
      { line: 'agency agent logs b7c9 --follow', says: 'watch it' },
      { line: 'agency agent logs b7c9 --raw | jq .type', says: "the runner's own JSON lines" },
    ],
    run: async (call) => (await import('./logs.ts')).showLogs(call),
  },
  {
    path: ['agent', 'wait'],
    summary: 'Wait until agents have ended',
    description: 'Exits 0 if every one of them finished, 1 if one failed.',
    args: [{ ...INVOCATION, repeats: true }],
    options: [{ flags: '--timeout <seconds>', summary: 'give up after this many seconds' }],
    examples: [{ line: 'agency agent wait b7c9 c2d8 && echo done', says: 'both' }],
    run: waitForAgents,
  },
  {
    path: ['agent', 'stop'],
    summary: 'Ask an agent to end (Ctrl-C, after 5 seconds SIGTERM)',
    args: [INVOCATION],
    examples: [{ line: 'agency agent stop b7c9', says: 'its work stays in its sandbox' }],
    run: (call) => endAgent(call, (agency, typed) => agency.stopInvocation(typed)),
  },
  {
    path: ['agent', 'kill'],
    summary: 'End an agent and all that it started, at once',
    args: [INVOCATION],
    examples: [{ line: 'agency agent kill b7c9', says: 'its work stays in its sandbox' }],
    run: (call) => endAgent(call, (agency, typed) => agency.killInvocation(typed)),
  },
  {
    path: ['agent', 'open'],
    summary: "Open an agent's sandbox in your editor",
    args: [INVOCATION],
    examples: [{ line: 'agency agent open b7c9', says: 'look at its files, or mend them before landing' }],
    run: openSandbox,
  },
]

async function startInWorktree(call: Call): Promise<Result> {
  const worktree = call.text('worktree')
  if (worktree === undefined) {
    throw new AgencyError('E_USAGE', '--worktree is missing', {
      hint: 'agency worktree ls lists the worktrees',
    })
  }
  const { startAgent } = await import('./start-agent.ts')
  return startAgent(call, { worktree: async () => worktree, name: call.text('name') })
}

export async function listAgents(call: Call): Promise<Result> {
  const worktree = call.text('worktree')
  const options = { all: call.flag('all'), ...(worktree === undefined ? {} : { worktree }) }
  const views = await (await call.agency()).listInvocations(options)
  return { data: views, view: (page) => viewInvocations(views, page) }
}

async function showAgent(call: Call): Promise<Result> {
  const agency = await call.agency()
  const [invocation, events] = await Promise.all([
    agency.showInvocation(operand(call)),
    agency.invocationEvents(operand(call)),
  ])
  const history = events.map(({ at, message }): Line => [span(`${at}  `, 'dim'), message])
  const view = (page: Page): Line[] => [
    ...viewInvocation(invocation, page),
    ...(history.length === 0 ? [] : ['', ...history]),
  ]
  return { data: { invocation, events }, view }
}

async function sendText(call: Call): Promise<Result> {
  const given = operand(call, 1)
  const text = given === '-' ? await readInput(call) : given
  const bytes = Buffer.from(call.flag('no-enter') ? text : `${text}\r`)
  await (await call.agency()).sendText(operand(call), bytes)
  return { data: { bytes: bytes.length }, view: () => [] }
}

/** The last line break of a file is not a key that anyone pressed. */
async function readInput(call: Call): Promise<string> {
  const { text } = await import('node:stream/consumers')
  return (await text(call.console.stdin)).replace(/\r?\n$/, '')
}

async function waitForAgents(call: Call): Promise<Result> {
  const options = readTimeout(call.text('timeout'))
  const agency = await call.agency()
  const invocations = await Promise.all(call.args.map((typed) => agency.waitInvocation(typed, options)))
  const failed = invocations.some(({ record }) => record.status !== 'finished')
  return {
    data: { invocations },
    status: failed ? EXIT.runner_failed : EXIT.ok,
    view: (page) => viewInvocations({ invocations, broken: [] }, page),
  }
}

function readTimeout(seconds: string | undefined): { timeout_ms?: number } {
  if (seconds === undefined) return {}
  const amount = seconds.trim() === '' ? Number.NaN : Number(seconds)
  if (amount >= 0 && Number.isFinite(amount)) return { timeout_ms: amount * 1000 }
  throw new AgencyError('E_USAGE', `'${seconds}' is not a number of seconds`)
}

type End = (agency: Agency, typed: string) => ReturnType<Agency['stopInvocation']>

async function endAgent(call: Call, end: End): Promise<Result> {
  const report = await end(await call.agency(), operand(call))
  const { invocation, ended } = report
  if (!ended) {
    throw new AgencyError('E_STILL_RUNNING', `${nameOf(invocation)} has not ended`, {
      hint: `agency agent kill ${invocation.invocation_id}`,
      details: { invocation_id: invocation.invocation_id },
    })
  }
  return { data: report, view: () => [[span('ended ', 'ready'), nameOf(invocation)]] }
}

async function openSandbox(call: Call): Promise<Result> {
  const { record }: InvocationView = await (await call.agency()).showInvocation(operand(call))
  if (isClosed(record)) {
    throw new AgencyError(
      'E_INVOCATION_CLOSED',
      `${nameOf(record)} was ${record.landing_status}: its sandbox is gone`,
    )
  }
  return openPath(call, record.sandbox_path)
}
