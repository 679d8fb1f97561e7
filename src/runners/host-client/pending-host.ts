// A host as its starter sees it: a detached process that boots while the sandbox is made, and is then told what to run.

import { AgencyError } from '../../core/model/errors.ts'
import type { PendingHost } from '../../core/model/runner.ts'
import { formatLine, GO, type HostAnswer, parseAnswer } from '../host/launch-message.ts'
import { type HostProcess, holdBack } from './boot-host.ts'

/** Characters of the host's last words that go into an error. */
const LAST_WORDS = 2000

export function pendingHost(child: HostProcess): PendingHost {
  const answered = readHostAnswer(child)
  // If the host is abandoned, nobody waits for its answer, and its failure must not end us.
  answered.catch(() => {})
  return {
    pid: child.pid ?? 0,
    prepare: (launch) => void child.stdin.write(formatLine(launch)),
    launch: async () => {
      holdBack(child, 'ref')
      try {
        child.stdin.end(GO)
        acceptAnswer(await answered)
      } finally {
        letHostGo(child)
      }
    },
    abandon: () => letHostGo(child),
  }
}

function letHostGo(child: HostProcess): void {
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
  child.unref()
}

/** Rejects with E_HOST_FAILED if the host dies before it answers. */
function readHostAnswer(child: HostProcess): Promise<HostAnswer> {
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
    const gone = (): void => reject(hostFailed([howItWent(child), complaints.trim()].join('\n').trim()))
    child.once('error', gone)
    child.once('close', gone)
    // It may have ended before we began to listen.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) gone()
  })
}

function howItWent({ pid, exitCode, signalCode }: HostProcess): string {
  if (pid === undefined) return `the host could not be started: ${process.execPath} cannot be run`
  const how = signalCode === null ? `exited with code ${exitCode}` : `was ended by ${signalCode}`
  return `the host ${how} before it had started the runner`
}

function acceptAnswer(answer: HostAnswer): void {
  if (!answer.ok) throw new AgencyError(answer.code, answer.message, { hint: answer.hint })
}

const hostFailed = (message: string): AgencyError => new AgencyError('E_HOST_FAILED', message)
