// Writes to a socket or a terminal without its stream where nothing waits in that: for the few bytes of a key a stream
// takes longer, and leaves more to do behind them, than all else that is done with the key.

import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Node's own: of a stream that is closed there is none, so that its number is never somebody else's file. */
type WithHandle = Socket & { readonly _handle?: { readonly fd?: number } | null }

/** As the stream's own `write`: in order, and whole. What cannot be written now waits in the stream, which tells of errors. */
export function writeAtOnce(socket: Socket, bytes: Uint8Array): boolean {
  const written = socket.writableLength === 0 && !socket.connecting ? writeSome(socket, bytes) : 0
  return written === bytes.length || socket.write(bytes.subarray(written))
}

function writeSome(socket: WithHandle, bytes: Uint8Array): number {
  const file = socket._handle?.fd ?? -1
  if (file < 0 || !socket.writable) return 0
  try {
    return writeSync(file, bytes)
  } catch {
    return 0
  }
}
