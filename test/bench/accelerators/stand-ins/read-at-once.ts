// Read as any stream is.

import type { Readable } from 'node:stream'

export function readAtOnce(stream: Readable, take: (chunk: Buffer) => void): () => void {
  stream.on('data', take)
  return () => void stream.off('data', take)
}
