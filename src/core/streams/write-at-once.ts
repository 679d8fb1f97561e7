// Writes to a socket or a terminal without its stream where nothing waits in that: for the few bytes of a key a stream
// takes longer, and leaves more to do behind them, than all else that is done with the key.

import { writeSync } from 'node:fs'

/** One of Node's sockets has a handle, as long as it is open: its number is never somebody else's file. */
interface Stream {
  readonly writable: boolean
  readonly writableLength?: number
  readonly connecting?: boolean
  readonly _handle?: { readonly fd?: number } | null | undefined
  write(data: Uint8Array | string): boolean
}

/** As the stream's own `write`: in order, and whole. What cannot be written now waits in the stream, which tells of errors. */
export function writeAtOnce(stream: Stream, data: Uint8Array | string): boolean {
  const file = streamFile(stream)
  if (file < 0) return stream.write(data)
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const written = writeSome(file, bytes)
  return written === bytes.length || stream.write(bytes.subarray(written))
}

/** -1 where only the stream may write: something waits in it, or it is no socket. */
function streamFile(stream: Stream): number {
  const canWrite = stream.writable && stream.writableLength === 0 && stream.connecting === false
  return canWrite ? (stream._handle?.fd ?? -1) : -1
}

function writeSome(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes)
  } catch {
    return 0
  }
}
