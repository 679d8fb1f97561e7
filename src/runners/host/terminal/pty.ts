// A child on a pseudo terminal of node-pty, without losing output at its end: node-pty closes the terminal 200 ms after
// the exit, read or not, and the kernel drops what is unread when the last slave closes (31 of 100 runs lost some). So
// we hold the slave open, and read what is left before node-pty may close.

import { closeSync, constants, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants as system } from 'node:os'
import type { ExecEnd } from '../../../core/doors/spawner/exec.ts'
import type { TerminalChild } from '../../../core/doors/spawner/open-terminal.ts'
import { paceReading } from './paced-reading.ts'

export interface Pty {
  readonly pid: number
  /** Resolves when all output has been handed over. */
  readonly exited: Promise<ExecEnd>
  /** Output from before is handed over first. */
  listen(onData: (chunk: Buffer) => void): void
  write(bytes: Uint8Array | string): void
  /** Bytes that the child has not read yet. */
  pendingInput(): number
  resize(columns: number, rows: number): void
}

/** To be called in the same turn of the event loop in which the child was started. */
export function takePty(child: TerminalChild): Pty {
  const { _pty, _socket } = child
  const slave = openSync(_pty, constants.O_RDWR | constants.O_NOCTTY)
  let early: Buffer[] = []
  let take = (chunk: Buffer): void => void early.push(chunk)
  let open = true

  const reading = paceReading(child, (chunk) => take(chunk))
  beforeDestroy(_socket, () => {
    open = false
    reading.finish()
  })
  const exited = new Promise<ExecEnd>((resolve) =>
    child.onExit(({ exitCode, signal }) => {
      closeSync(slave)
      resolve(toExecEnd(exitCode, signal))
    }),
  )
  return {
    pid: child.pid,
    exited,
    listen: (onData) => {
      for (const chunk of early) onData(chunk)
      early = []
      take = onData
    },
    write: (bytes) => {
      if (open) _socket.write(bytes)
      reading.typed()
    },
    pendingInput: () => _socket.writableLength,
    resize: (newColumns, newRows) => void (open && child.resize(newColumns, newRows)),
  }
}

function beforeDestroy(socket: Socket, act: () => void): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    act()
    socket.destroy = destroy
    return destroy(error)
  }
}

function toExecEnd(exitCode: number, signal: number | undefined): ExecEnd {
  if (!signal) return { exit_code: exitCode, exit_signal: null }
  const name = Object.entries(system.signals).find(([, number]) => number === signal)?.[0]
  return { exit_code: null, exit_signal: name ?? `signal ${signal}` }
}
