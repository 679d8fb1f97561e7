// The last step of `npm run build`. It uses the built program once as a person would, in a place of its own. What V8
// compiles for that is kept, and need not be compiled at each start. If this fails, the program is only slower.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

interface Pty {
  onData(listener: (data: string) => void): void
  onExit(listener: () => void): void
  write(data: string): void
  kill(signal: string): void
}

const PATIENCE_MS = 60_000
/** Milliseconds between two keys, in which a person would see what the last key did. */
const LOOK_MS = 400

const DOWN = '\x1b[B'
const DETACH = '\x1c'
/** To an agent, into its terminal, out of it, and away. More keys would add code to be read before the first frame. */
const KEYS = [DOWN, '\r', 'x', DETACH, 'q']

/** A place of its own, and the program that is used there. */
interface Trial {
  readonly program: string
  readonly scratch: string
  readonly repository: string
  readonly env: NodeJS.ProcessEnv
}

/** `dist` is where the bundles are. The code is kept beside them. */
export async function keepCode(dist: string): Promise<void> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'agency-build-')))
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    TMPDIR: scratch,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    AGENCY_KEEP_CODE: 'yes',
  }
  try {
    const program = resolve(dist, 'agency.js')
    await useAsAPerson({ program, scratch, repository: join(scratch, 'repository'), env })
  } catch (error) {
    console.error(`The code of the program was not kept, so it will start more slowly: ${String(error)}`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function useAsAPerson(trial: Trial): Promise<void> {
  const { scratch, repository } = trial
  run(trial, scratch, 'demo', '--transcript')
  run(trial, scratch, '--help')
  makeRepository(trial)
  startAgent(trial, 'true', '--headless')
  startAgent(trial, 'exec cat')
  try {
    await lookAround(trial)
  } finally {
    run(trial, repository, 'worktree', 'rm', 'build', '--force')
  }
}

function makeRepository(trial: Trial): void {
  const { repository: cwd, env } = trial
  mkdirSync(cwd)
  const identity = ['-c', 'user.name=Build', '-c', 'user.email=build@localhost']
  execFileSync('git', ['init', '-q'], { cwd, env })
  execFileSync('git', [...identity, 'commit', '-q', '--allow-empty', '-m', 'Start'], { cwd, env })
  run(trial, cwd, 'worktree', 'create', '--name', 'build')
}

/** This command is used because it is the one that people wait for most. */
function startAgent(trial: Trial, prompt: string, ...flags: readonly string[]): void {
  const start = ['agent', 'start', '--worktree', 'build', '--runner', 'shell', '--detached']
  run(trial, trial.repository, ...start, ...flags, '--prompt', prompt)
}

function run({ program, env }: Trial, cwd: string, ...args: readonly string[]): void {
  const options = { cwd, env, encoding: 'utf8', timeout: PATIENCE_MS } as const
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], options)
  if (status !== 0) throw new Error(`agency ${args.join(' ')} exited with ${status}: ${stderr}`)
}

async function lookAround({ program, repository: cwd, env }: Trial): Promise<void> {
  // Loaded only now: if it does not load, the code of the commands has been kept already.
  const { spawn } = createRequire(import.meta.url)('node-pty') as {
    spawn(file: string, args: readonly string[], options: object): Pty
  }
  const terminal = { name: env['TERM'], cols: 120, rows: 34, cwd, env }
  const pty = spawn(process.execPath, [program], terminal)
  const timer = setTimeout(() => pty.kill('SIGKILL'), PATIENCE_MS)
  const drawn = new Promise<void>((done) => pty.onData((data) => data.includes('\x1b[?2026l') && done()))
  const ended = new Promise<void>((done) => pty.onExit(done))
  await Promise.race([drawn, ended])
  for (const key of KEYS) {
    await delay(LOOK_MS)
    pty.write(key)
  }
  await ended
  clearTimeout(timer)
}
