// Asks a program for its version: once, and never waiting for long.

import { startPiped } from '../../core/doors/spawner/start-piped.ts'

export type VersionAnswer =
  | { readonly kind: 'answered'; readonly version: string | null }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'silent' }

const TIMEOUT_MS = 10_000
const MOST_KEPT = 64 * 1024

/** Runs `executable --version` outside of the repository, whose files could configure the program. */
export function askVersion(
  executable: string,
  env: NodeJS.ProcessEnv,
  timeoutMs = TIMEOUT_MS,
): Promise<VersionAnswer> {
  return new Promise((resolve) => {
    const child = startPiped({ argv: [executable, '--version'], cwd: '/', env })
    child.stdin.end()
    const timer = setTimeout(() => {
      killGroup(child.pid)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ kind: 'silent' })
    }, timeoutMs)
    let text = ''
    const keep = (chunk: Buffer): void => {
      if (text.length < MOST_KEPT) text += chunk.toString('utf8')
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => settle({ kind: 'broken', reason: error.message }))
    child.on('close', (code, signal) => settle(judgeAnswer(text, code, signal)))
    const settle = (answer: VersionAnswer): void => {
      clearTimeout(timer)
      resolve(answer)
    }
  })
}

function judgeAnswer(text: string, code: number | null, signal: string | null): VersionAnswer {
  if (code === 0) return { kind: 'answered', version: /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null }
  const said = text.trim().split('\n')[0] ?? ''
  const ended = signal === null ? `it exited with ${code}` : `it was ended by ${signal}`
  return { kind: 'broken', reason: said === '' ? ended : `${ended}: ${said.slice(0, 200)}` }
}

/** Kills the group, because a wrapper's child could outlive it and hold the pipes. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended in the same moment.
  }
}

/** Both `major.minor.patch`. */
export function isOlder(version: string, minimum: string): boolean {
  const wanted = minimum.split('.').map(Number)
  const parts = version.split('.').map(Number)
  const at = wanted.findIndex((part, index) => part !== parts[index])
  return at >= 0 && (parts[at] ?? 0) < (wanted[at] ?? 0)
}
