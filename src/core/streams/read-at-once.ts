// Hands over what a socket or a terminal reads within the event that brings it. A stream would do so as well, and then
// look in a turn of its own for what it could read ahead, which one that flows has no use for.

import type { Readable } from 'node:stream'

/** As a listener to `data` of a stream without an encoding. Returns what takes it away. */
export function readAtOnce(stream: Readable, take: (chunk: Buffer) => void): () => void {
  const push = stream.push
  stream.push = (chunk: Buffer | null) => {
    if (chunk === null || stream.readableFlowing !== true || stream.readableLength > 0)
      return push.call(stream, chunk)
    take(chunk)
    return true
  }
  stream.on('data', take)
  return () => {
    stream.push = push
    stream.off('data', take)
  }
}
