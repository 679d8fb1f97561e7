// What a host and its clients say over the socket: frames of `[u8 type][u32 length, big endian][payload]`. Both sides
// begin with `hello`, so that a program of another version is told so and nothing is misread. Pure.

import * as z from 'zod/mini'
import { AgencyError } from '../../core/model/errors.ts'

export const PROTOCOL_VERSION = 1

/** Longest payload that a host takes from a client, and a client from a host (a snapshot of a large terminal). */
export const MAX_CLIENT_PAYLOAD = 1 << 20
export const MAX_HOST_PAYLOAD = 1 << 26

/** Most columns, and most rows, of a terminal. */
export const MOST_CELLS = 1000

const cells = z.int().check(z.minimum(1), z.maximum(MOST_CELLS))
const exitFields = { exit_code: z.nullable(z.number()), exit_signal: z.nullable(z.string()) }

/** The frames whose payload is JSON. */
const JSON_FRAMES = {
  /** The first frame of both sides. */
  hello: [1, z.object({ version: z.number() })],
  /**
   * Answered by `snapshot`, or by `state` if the host writes the version of it that the client reads, then `data` as it
   * comes. A host from before there was a state ignores what it does not know.
   */
  attach: [
    2,
    z.object({
      columns: cells,
      rows: cells,
      scrollback: z.int().check(z.minimum(0)),
      state_version: z.optional(z.number()),
    }),
  ],
  resize: [6, z.object({ columns: cells, rows: cells })],
  /** Answered by `stopped` once it is known whether everything has ended. */
  stop: [7, z.object({ how: z.enum(['stop', 'kill']) })],
  stopped: [8, z.object({ ended: z.boolean() })],
  /** The runner ended and the record says so; the last frame. */
  exit: [9, z.object(exitFields)],
  /** Answered by `status` when every frame before it has been carried out. */
  ping: [10, z.object({ token: z.number() })],
  status: [11, z.object({ token: z.number(), clients: z.number() })],
  /** The host refuses, and closes the connection. `busy`: it may take another client later. */
  refused: [12, z.object({ message: z.string(), busy: z.optional(z.boolean()) })],
} as const

/**
 * The frames whose payload is bytes of a terminal. `snapshot` draws it, `state` is what its emulator is, `input` is keys
 * as they were pressed, `text` is a whole message.
 */
const BYTE_FRAMES = { snapshot: 3, data: 4, input: 5, text: 13, state: 14 } as const

type JsonName = keyof typeof JSON_FRAMES
type ByteName = keyof typeof BYTE_FRAMES
type JsonFrame = { [N in JsonName]: { readonly type: N } & z.infer<(typeof JSON_FRAMES)[N][1]> }[JsonName]
type ByteFrame = { [N in ByteName]: { readonly type: N; readonly bytes: Uint8Array } }[ByteName]
export type Frame = JsonFrame | ByteFrame

const HEADER = 5

export function encodeFrame(frame: Frame): Buffer {
  if ('bytes' in frame) return withHeader(BYTE_FRAMES[frame.type], frame.bytes)
  const { type, ...payload } = frame
  return withHeader(JSON_FRAMES[type][0], Buffer.from(JSON.stringify(payload)))
}

function withHeader(code: number, payload: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(HEADER + payload.length)
  whole[0] = code
  whole.writeUInt32BE(payload.length, 1)
  whole.set(payload, HEADER)
  return whole
}

/** Makes frames of chunks that are cut anywhere. Holds at most one unfinished frame of `maxPayload` bytes. */
export class FrameDecoder {
  #maxPayload: number
  #chunks: Uint8Array[] = []
  #held = 0
  #wanted = HEADER

  constructor(maxPayload: number) {
    this.#maxPayload = maxPayload
  }

  /** From now on, frames may be as large as that. */
  allow(maxPayload: number): void {
    this.#maxPayload = maxPayload
  }

  /** Throws E_HOST_GONE on bytes that are no frame; then the connection is of no more use. */
  push(chunk: Uint8Array): Frame[] {
    if (this.#held === 0) return this.#takeFrames(bufferOf(chunk))
    this.#chunks.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#wanted) return []
    return this.#takeFrames(Buffer.concat(this.#chunks))
  }

  #takeFrames(bytes: Buffer): Frame[] {
    const frames: Frame[] = []
    let at = 0
    this.#wanted = this.#frameLength(bytes, at)
    while (bytes.length - at >= this.#wanted) {
      frames.push(parseFrame(bytes[at] ?? 0, bytes.subarray(at + HEADER, at + this.#wanted)))
      at += this.#wanted
      this.#wanted = this.#frameLength(bytes, at)
    }
    this.#held = bytes.length - at
    this.#chunks = this.#held === 0 ? [] : [Buffer.from(bytes.subarray(at))]
    return frames
  }

  #frameLength(bytes: Buffer, at: number): number {
    if (bytes.length - at < HEADER) return HEADER
    const length = bytes.readUInt32BE(at + 1)
    if (length > this.#maxPayload) throw notUnderstood(`a frame of ${length} bytes`)
    return HEADER + length
  }
}

const jsonByCode = new Map(Object.entries(JSON_FRAMES).map(([name, [code]]) => [code as number, name]))
const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const bytesByCode = new Map(Object.entries(BYTE_FRAMES).map(([name, code]) => [code as number, name]))

function parseFrame(code: number, payload: Buffer): Frame {
  const byteName = bytesByCode.get(code) as ByteName | undefined
  if (byteName !== undefined) return { type: byteName, bytes: payload }
  const name = jsonByCode.get(code) as JsonName | undefined
  if (name === undefined) throw notUnderstood(`a frame of type ${code}`)
  const parsed = JSON_FRAMES[name][1].safeParse(parsePayload(payload))
  if (!parsed.success) throw notUnderstood(`a '${name}' frame: ${z.prettifyError(parsed.error)}`)
  return { type: name, ...parsed.data } as JsonFrame
}

function parsePayload(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}

const notUnderstood = (what: string): AgencyError =>
  new AgencyError('E_HOST_GONE', `what came over the host's socket is not understood: ${what}`)
