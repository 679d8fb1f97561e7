// A runner without a terminal: a child process in a session of its own. Its output is logged verbatim as it comes, and
// only then read.

import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform, Started } from '../../environments/platform.ts'
import { createStreamParser } from '../../stream/stream.ts'
import { openAppendedLog } from './appended-log.ts'
import { makePipes, openInput, type Pipes } from './pipes.ts'
import type { Running, RunOptions } from './running.ts'
import { openTranscript } from './transcript.ts'

/** Milliseconds to wait for the end of the output, after all processes that we can find have ended. */
const DRAIN_PATIENCE = 2000

/** `path` is the invocation's own, in a private directory. Files with names beside it exist for a moment. */
export function prepareHeadless(platform: Platform, path: string): (options: RunOptions) => Promise<Running> {
  const pipes = makePipes(path)
  return async (options) => {
    const { pid, exited } = await startRunner(platform, options, pipes)
    return { pid, exited, terminal: null, ...recordOutput(options, pipes) }
  }
}

async function startRunner(
  platform: Platform,
  { launch, paths, exec }: RunOptions,
  pipes: Pipes,
): Promise<Started> {
  const input = launch.plan.stdin
  const stdin = input === null ? null : openInput(paths.logsDir, input)
  const files = { stdin, stdout: pipes.stdout.writeEnd, stderr: pipes.stderr.writeEnd }
  try {
    return await platform.startOnFiles(exec, files)
  } finally {
    if (stdin !== null) closeSync(stdin)
    closeSync(files.stdout)
    closeSync(files.stderr)
  }
}

function recordOutput(
  options: RunOptions,
  pipes: Pipes,
): Pick<Running, 'drain' | 'lastOutputAt' | 'verdict'> {
  const { paths, launch, now, onLost, onSession, onTurnEnd } = options
  const raw = openAppendedLog(paths.raw, { lines: false, onLost })
  const errors = openAppendedLog(paths.stderr, { lines: false, onLost })
  const stream = openAppendedLog(paths.stream, { lines: true, onLost })
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
