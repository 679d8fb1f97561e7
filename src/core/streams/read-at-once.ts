// Hands over what a socket or a terminal reads in the same event that brings it. A stream would do that too, but would
// then take another turn to read ahead, which is of no use to a stream that flows.

import type { Readable } from 'node:stream'

/** Like a listener to `data` of a stream without an encoding. Returns a function that removes it. */
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
