// Reading a socket into one buffer of ours, as Node does for sockets that are made with `onread`: node-pty makes its own,
// and a stream that allocates for each word that an agent prints costs more than all that we do with the word. Node has
// no public way to ask for it later. Where its insides are others than we know, the socket is read as any other.

import type { Socket } from 'node:net'

/** Gets what was read; valid only during the call. Returns false where the socket shall rest until it is resumed. */
export type TakeBytes = (bytes: Buffer) => boolean

interface Insides {
  readonly _handle?: { useUserBuffer?: (buffer: Uint8Array) => void } | null
  [name: symbol]: unknown
}

/** A terminal gives less at a time. */
const SIZE = 1 << 14

/** Returns whether the socket will hand over what it reads to `take`; where not, it emits 'data'. */
export function readDirectly(socket: Socket, take: TakeBytes): boolean {
  const insides = socket as unknown as Insides
  const symbols = Object.getOwnPropertySymbols(socket)
  const own = (name: string): symbol | undefined => symbols.find((symbol) => symbol.description === name)
  const [buffer, callback, generator] = [own('kBuffer'), own('kBufferCb'), own('kBufferGen')]
  const handle = insides._handle
  if (!buffer || !callback || !generator || typeof handle?.useUserBuffer !== 'function') return false
  insides[buffer] = Buffer.allocUnsafeSlow(SIZE)
  insides[callback] = (length: number, bytes: Buffer): boolean => take(bytes.subarray(0, length))
  handle.useUserBuffer(insides[buffer] as Uint8Array)
  return true
}
