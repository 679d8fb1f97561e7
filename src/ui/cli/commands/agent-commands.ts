// agency agent: starting agents, watching them, ending them. Rows only.

import type { ArgumentRow, CommandRow } from './command.ts'
import { AGENT_START } from './start-commands.ts'

const verbs = () => import('../verbs/agent-verbs.ts')

export const INVOCATION: ArgumentRow = { name: 'id', completes: 'invocation' }

export const AGENT_COMMANDS: readonly CommandRow[] = [
  AGENT_START,
  {
    path: ['agent', 'ls'],
    summary: 'List agents',
    description: 'Those that were landed or discarded, and broken ones, only with --all.',
    options: [
      { flags: '--worktree <worktree>', summary: 'only those of one worktree', completes: 'worktree' },
      { flags: '--all', summary: 'landed, discarded and broken ones too' },
    ],
    examples: [{ line: 'agency agent ls --json', says: 'for scripts' }],
    run: async (call) => (await verbs()).runListAgents(call),
  },
  {
    path: ['agent', 'show'],
    summary: 'Show all about one agent, and what happened to it',
    args: [INVOCATION],
    examples: [{ line: 'agency agent show b7c9', says: 'by id, prefix or the last four characters' }],
    run: async (call) => (await verbs()).showAgent(call),
  },
  {
    path: ['agent', 'attach'],
    summary: "Join a headed agent's terminal; Ctrl-\\ leaves it",
    args: [INVOCATION],
    examples: [{ line: 'agency agent attach b7c9', says: 'the agent goes on when you leave' }],
    run: async (call) => (await verbs()).attachAgent(call),
  },
  {
    path: ['agent', 'send'],
    summary: "Type text into a headed agent's terminal, and Enter",
    args: [INVOCATION, { name: 'text', completes: 'nothing' }],
    options: [
      { flags: '--no-enter', summary: 'press no Enter after it: for keys, such as the number of a choice' },
    ],
    examples: [
      { line: "agency agent send b7c9 'yes, go on'", says: 'answer a question' },
      { line: 'agency agent send b7c9 --no-enter 1', says: 'choose from a menu' },
      { line: 'agency agent send b7c9 - < reply.txt', says: 'from standard input' },
    ],
    run: async (call) => (await verbs()).sendText(call),
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
    run: async (call) => (await import('../verbs/logs.ts')).showLogs(call),
  },
  {
    path: ['agent', 'wait'],
    summary: 'Wait until agents have ended',
    description: 'Exits 0 if every one of them finished, 1 if one failed.',
    args: [{ ...INVOCATION, repeats: true }],
    options: [{ flags: '--timeout <seconds>', summary: 'give up after this many seconds' }],
    examples: [{ line: 'agency agent wait b7c9 c2d8 && echo done', says: 'both' }],
    run: async (call) => (await verbs()).waitForAgents(call),
  },
  {
    path: ['agent', 'stop'],
    summary: 'Ask an agent to end (Ctrl-C, after 5 seconds SIGTERM)',
    args: [INVOCATION],
    examples: [{ line: 'agency agent stop b7c9', says: 'its work stays in its sandbox' }],
    run: async (call) => (await verbs()).stopAgent(call),
  },
  {
    path: ['agent', 'kill'],
    summary: 'End an agent and all that it started, at once',
    args: [INVOCATION],
    examples: [{ line: 'agency agent kill b7c9', says: 'its work stays in its sandbox' }],
    run: async (call) => (await verbs()).killAgent(call),
  },
  {
    path: ['agent', 'open'],
    summary: "Open an agent's sandbox in your editor",
    args: [INVOCATION],
    examples: [{ line: 'agency agent open b7c9', says: 'look at its files, or mend them before landing' }],
    run: async (call) => (await verbs()).openSandbox(call),
  },
]
