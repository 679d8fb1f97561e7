// Writes to a socket or a terminal directly, if nothing waits in its stream. For the few bytes of a key, going through
// the stream takes longer than everything else that is done with the key.

import { writeSync } from 'node:fs'

/** A socket of Node's. It has a handle as long as it is open, so its number is never that of somebody else's file. */
interface Stream {
  readonly writable: boolean
  readonly writableLength?: number
  readonly connecting?: boolean
  readonly _handle?: { readonly fd?: number } | null | undefined
  write(data: Uint8Array | string): boolean
}

/**
 * Like the stream's own `write`: in order and complete. What cannot be written now waits in the stream, which reports
 * errors.
 */
export function writeAtOnce(stream: Stream, data: Uint8Array | string): boolean {
  const file = streamFile(stream)
  if (file < 0) return stream.write(data)
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const written = writeSome(file, bytes)
  return written === bytes.length || stream.write(bytes.subarray(written))
}

/** -1 where only the stream may write: something waits in it, or it is not a socket. */
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
