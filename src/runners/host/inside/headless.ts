// A runner without a terminal: a child process in a session of its own, its output logged verbatim as it comes and
// only then read.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStreamParser } from '../../stream/stream.ts'
import { openLog } from './log-file.ts'
import { makePipes, openInput, type Pipes } from './pipes.ts'
import { checkExecutable, type RunExit, type Running, type RunOptions, startFailed } from './running.ts'
import { openTranscript } from './transcript.ts'

/** Milliseconds to wait for the end of the output after every process that we can find has ended. */
const DRAIN_PATIENCE = 2000

/** `path` is the invocation's own in a private directory; names beside it are used for a moment. */
export function prepareHeadless(path: string): (options: RunOptions) => Promise<Running> {
  const pipes = makePipes(path)
  return async (options) => {
    checkExecutable(options.launch.plan.argv[0])
    const { child, exited } = await spawnRunner(options, pipes)
    return { pid: child.pid ?? 0, exited, terminal: null, ...recordOutput(options, pipes) }
  }
}

interface Spawned {
  readonly child: ChildProcess
  readonly exited: Promise<RunExit>
}

async function spawnRunner(options: RunOptions, pipes: Pipes): Promise<Spawned> {
  const { plan } = options.launch
  const [file, ...args] = plan.argv
  const stdin = plan.stdin === null ? 'ignore' : openInput(options.paths.logsDir, plan.stdin)
  try {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: [stdin, pipes.stdout.writeEnd, pipes.stderr.writeEnd],
    })
    const exited = new Promise<RunExit>((resolve) =>
      child.once('exit', (exit_code, exit_signal) => resolve({ exit_code, exit_signal })),
    )
    await once(child, 'spawn')
    return { child, exited }
  } catch (cause) {
    throw startFailed(file, cause)
  } finally {
    if (stdin !== 'ignore') closeSync(stdin)
    closeSync(pipes.stdout.writeEnd)
    closeSync(pipes.stderr.writeEnd)
  }
}

function recordOutput(
  options: RunOptions,
  pipes: Pipes,
): Pick<Running, 'drain' | 'lastOutputAt' | 'verdict'> {
  const { paths, launch, now, onLost, onSession, onTurnEnd } = options
  const raw = openLog(paths.raw, { lines: false, onLost })
  const errors = openLog(paths.stderr, { lines: false, onLost })
  const stream = openLog(paths.stream, { lines: true, onLost })
  const parser = createStreamParser(launch.stream_format)
  const transcript = openTranscript({ log: stream, parser, now, onSession, onTurnEnd })
  let lastOutput: Date | null = null

  if (launch.prompt !== null) {
    transcript.add({ at: now().toISOString(), kind: 'prompt', text: launch.prompt })
  }
  const ended = Promise.all([
    pipes.stdout.read((chunk) => {
      lastOutput = now()
      raw.append(chunk)
      transcript.stdout(chunk)
    }),
    pipes.stderr.read((chunk) => {
      lastOutput = now()
      errors.append(chunk)
      transcript.stderr(chunk)
    }),
  ])
  return {
    drain: async () => {
      await Promise.race([ended, sleep(DRAIN_PATIENCE, undefined, { ref: false })])
      pipes.stdout.close()
      pipes.stderr.close()
      transcript.end()
      for (const log of [raw, errors, stream]) log.close()
    },
    lastOutputAt: () => lastOutput,
    verdict: () => transcript.verdict(),
  }
}
