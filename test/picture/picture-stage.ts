// What the picture shows: a repository with agents in every state that a person meets, all of them really at work.
// Scripts stand in for coding agents, so that it needs no account and looks nearly the same each time.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Terminal } from '@xterm/headless'
import { type InvocationRecord, isActive } from '../../src/core/model/invocation.ts'
import type { WorktreeRecord } from '../../src/core/model/worktree.ts'
import { makeDemoRepository } from '../../src/ui/cli/demo/demo-repository.ts'
import { runInTerminal, type TerminalProgram } from '../support/processes/terminal-program.ts'

const PROGRAM = resolve('dist/agency.js')
const WORKTREES = ['config-file', 'greetings']
/** The picture shows this instead of the commit at which all sandboxes begin. */
const BASE = 'd5b90d5'

interface Player {
  readonly name: string
  readonly worktree: string
  readonly headless: boolean
  readonly prompt: string
}

const REPORT = 'mkdir -p .agency/state; echo \'{"status":"needs_input"}\' > .agency/state/runner_status.json'

const POLITE = `for way in 'please' 'thank you' 'you are welcome' 'excuse me' 'after you' 'with pleasure'; do
  echo "Looking where to say: $way"
  sleep 3
  echo "It says $way." >> README.md
  echo "  README.md: one line added"
  sleep 3
done
sleep 600`

/** The agents in the order of the tree. */
const PLAYERS: readonly Player[] = [
  {
    name: 'parser',
    worktree: 'config-file',
    headless: true,
    prompt: `cat > config.ts <<'END'
// Reads the greeter's configuration.
import { readFileSync } from 'node:fs'

export interface Config {
  readonly greeting: string
  readonly shout: boolean
}

/** Throws where the file is not there. */
export function readConfig(path: string): Config {
  const text = readFileSync(path, 'utf8')
  const { greeting = 'Hello', shout = false } = JSON.parse(text)
  return { greeting, shout }
}
END
git add config.ts && git commit -qm 'Read a configuration'
printf '#!/bin/sh\\ngreeting=$(node config.js greeting)\\necho "$greeting, $1"\\n' > greet.sh
printf 'sh greet.sh You | grep -q Hello\\n' > test.sh`,
  },
  {
    name: 'schema',
    worktree: 'config-file',
    headless: true,
    prompt: `echo 'echo "Configured"' >> greet.sh; ${REPORT}; echo 'Should unknown keys be errors?'; sleep 600`,
  },
  { name: 'translator', worktree: 'greetings', headless: false, prompt: 'sh tools/translate.sh' },
  {
    name: 'farewell',
    worktree: 'greetings',
    headless: true,
    prompt: `echo 'echo "Goodbye, $1"' >> greet.sh; git commit -qam 'Say goodbye'; echo 'sh greet.sh' > test.sh`,
  },
  {
    name: 'polite',
    worktree: 'greetings',
    headless: true,
    prompt: POLITE,
  },
  {
    name: 'emoji',
    worktree: 'greetings',
    headless: true,
    prompt: `echo 'printf "wave"' >> greet.sh; echo 'tests failed' >&2; exit 1`,
  },
]

export class PictureStage {
  readonly #scratch = realpathSync(mkdtempSync(join(tmpdir(), 'agency-picture-')))
  readonly #root = join(this.#scratch, 'greeter')
  readonly #env = environment(this.#scratch)
  readonly #ids = new Map<string, string>()
  /** Texts that differ from run to run, each with what the picture shows instead. */
  masks: ReadonlyMap<string, string> = new Map()

  async begin(): Promise<void> {
    makeDemoRepository(this.#root, this.#env)
    for (const name of WORKTREES) this.#agency('worktree', 'create', '--name', name)
    for (const player of PLAYERS) {
      this.#ids.set(player.name, this.#start(player))
      // Agents that start in the same second would come in any order.
      await sleep(1000)
    }
    const { worktrees } = this.#agency<{ worktrees: WorktreeRecord[] }>('worktree', 'ls')
    const ids = [...worktrees.map(({ worktree_id }) => worktree_id), ...this.#ids.values()]
    this.masks = new Map([...maskIds(ids), [this.#head(), BASE]])
  }

  openDashboard(size: { readonly cols: number; readonly rows: number }): TerminalProgram {
    return runInTerminal({
      file: process.execPath,
      args: [PROGRAM],
      cwd: this.#root,
      env: this.#env,
      emulator: new Terminal({ ...size, allowProposedApi: true }),
    })
  }

  /** Types into an agent's terminal. */
  send(name: string, text: string): void {
    this.#agency('agent', 'send', '--no-enter', this.#ids.get(name) ?? '', text)
  }

  close(): void {
    for (const id of this.#ids.values()) {
      const { invocation } = this.#agency<{ invocation: InvocationRecord }>('agent', 'show', id)
      if (isActive(invocation)) this.#agency('agent', 'kill', id)
    }
    rmSync(this.#scratch, { recursive: true, maxRetries: 10, retryDelay: 100 })
  }

  #head(): string {
    const options = { cwd: this.#root, env: this.#env, encoding: 'utf8' } as const
    return execFileSync('git', ['rev-parse', `--short=${BASE.length}`, 'HEAD'], options).trim()
  }

  #start({ name, worktree, headless, prompt }: Player): string {
    const { invocation } = this.#agency<{ invocation: InvocationRecord }>(
      ...['agent', 'start', '--worktree', worktree, '--runner', 'shell', '--name', name, '--detached'],
      ...(headless ? ['--headless'] : []),
      ...['--prompt', prompt],
    )
    return invocation.invocation_id
  }

  #agency<T>(...args: readonly string[]): T {
    const options = { cwd: this.#root, env: this.#env, encoding: 'utf8' } as const
    return JSON.parse(execFileSync(process.execPath, [PROGRAM, ...args, '--json'], options)).data as T
  }
}

/** Contains nothing of the person's, neither settings nor data. */
function environment(scratch: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: join(scratch, 'home'),
    AGENCY_DATA_DIR: join(scratch, 'data'),
    XDG_RUNTIME_DIR: scratch,
    GIT_CONFIG_NOSYSTEM: '1',
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    COLORTERM: 'truecolor',
  }
}

/** Masks ids in each form in which they are shown: whole, with part of the date left out, and as four digits alone. */
function maskIds(ids: readonly string[]): Map<string, string> {
  const shown = ['7a1c', 'c2d8', 'b7c9', 'd4e5', 'e6f0', 'f3a9', '91b2', '2c4d']
  return new Map(
    ids.flatMap((id, at) => {
      const masked = `20260128120${at}00-${shown[at] ?? '0000'}`
      return [0, 7, 8, 15].map((from) => [id.slice(from), masked.slice(from)] as const)
    }),
  )
}
