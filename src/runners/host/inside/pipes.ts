// Real pipes for a runner's output. Node gives its children sockets, and `echo x > /dev/stderr` fails on a socket.

import { constants, openSync, rmSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { runAtOnce } from '../../../core/doors/spawner/run-at-once.ts'
import { writeDraft } from '../../../core/doors/system/files.ts'
import { searchPath } from '../../../core/doors/system/search-path.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { errnoInWords, machineError } from '../../../core/model/system-failure.ts'

export interface Pipe {
  /** The child's end. To be closed here once the child has it. */
  readonly writeEnd: number
  /** Calls back with a buffer that is used again. Resolves when all writers have closed. */
  read(onChunk: (chunk: Buffer) => void): Promise<void>
  /** Gives up on writers that never close. */
  close(): void
}

export interface Pipes {
  readonly stdout: Pipe
  readonly stderr: Pipe
}

/** The pipes have names that begin with `path`, but only for a moment. */
export function makePipes(path: string): Pipes {
  const paths = [`${path}.stdout`, `${path}.stderr`] as const
  for (const name of paths) rmSync(name, { force: true })
  const made = runAtOnce({
    argv: ['mkfifo', '-m', '600', '--', ...paths],
    cwd: '/',
    env: { PATH: searchPath(process.env) },
  })
  if (made.status !== 0) {
    const doing = "could not make the pipes for the runner's output"
    const errno = made.error?.code ?? errnoInWords(made.stderr.trim()) ?? ''
    const why = made.error?.message ?? made.stderr.trim()
    throw machineError(errno, doing) ?? new AgencyError('E_HOST_FAILED', `${doing}: ${why}`)
  }
  return { stdout: openPipe(paths[0]), stderr: openPipe(paths[1]) }
}

function openPipe(path: string): Pipe {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writeEnd = openSync(path, constants.O_WRONLY)
  unlinkSync(path)
  let socket: Socket | null = null
  return {
    writeEnd,
    read: (onChunk) =>
      new Promise((resolve) => {
        // One buffer for the whole run: a new one per chunk would take most of the host's memory.
        const buffer = Buffer.allocUnsafeSlow(1 << 16)
        const onread = {
          buffer,
          callback: (length: number) => {
            onChunk(buffer.subarray(0, length))
            return true
          },
        }
        const options = { fd: readEnd, readable: true, writable: false, onread }
        socket = new Socket(options)
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
      }),
    close: () => socket?.destroy(),
  }
}

/**
 * A file without a name that contains `text`, to be read as standard input. To be closed here once the child has it.
 */
export function openInput(dir: string, text: string): number {
  const path = join(dir, '.stdin')
  writeDraft(path, text)
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  unlinkSync(path)
  return file
}
