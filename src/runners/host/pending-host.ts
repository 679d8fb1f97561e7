// A host as its starter sees it: a detached process that boots while the sandbox is being made, then is told what to run.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { AgencyError } from '../../core/model/errors.ts'
import type { PendingHost } from '../../core/model/runner.ts'
import { formatLine, type HostAnswer, parseAnswer } from './launch-message.ts'
import { hostEnvironment } from './runner-environment.ts'

/** Collect early instead of growing: there is a host for every invocation. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=96', '--optimize-for-size']
/** Characters of the host's last words that go into an error. */
const LAST_WORDS = 2000

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export function spawnHost(entryPath: string): PendingHost {
  const child = spawn(process.execPath, [...NODE_FLAGS, entryPath], {
    cwd: '/',
    detached: true,
    env: hostEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const answered = readAnswer(child)
  // Whoever abandons the host never asks for its answer.
  answered.catch(() => {})
  child.stdin.on('error', () => {})
  holdBack(child, 'unref')
  return {
    pid: child.pid ?? 0,
    launch: async (launch) => {
      holdBack(child, 'ref')
      try {
        child.stdin.end(formatLine(launch))
        accept(await answered)
      } finally {
        letGo(child)
      }
    },
    abandon: () => letGo(child),
  }
}

/** An idle host must not keep its starter alive. */
function holdBack(child: Child, what: 'ref' | 'unref'): void {
  child[what]()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    if (what in pipe) (pipe as unknown as { ref(): void; unref(): void })[what]()
  }
}

function letGo(child: Child): void {
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
  child.unref()
}

/** Rejects with E_HOST_FAILED where the host died first. */
function readAnswer(child: Child): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    let answer = ''
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-LAST_WORDS)
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text
      if (answer.includes('\n')) resolve(parseAnswer(answer))
    })
    child.once('error', (cause) =>
      reject(failed(`could not start ${process.execPath}: ${cause.message}`, cause)),
    )
    child.once('close', (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      reject(
        failed([`the host ${how} before it had started the runner`, complaints.trim()].join('\n').trim()),
      )
    })
  })
}

function accept(answer: HostAnswer): void {
  if (!answer.ok) throw new AgencyError(answer.code, answer.message, { hint: answer.hint })
}

const failed = (message: string, cause?: unknown): AgencyError =>
  new AgencyError('E_HOST_FAILED', message, { cause })
