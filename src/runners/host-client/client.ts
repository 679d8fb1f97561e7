// A connection to a host: frames out, frames in, and one error for all the ways in which a host can be gone.

import { connect, type Socket } from 'node:net'
import { AgencyError } from '../../core/model/errors.ts'
import { asOurError, isMachineFailure } from '../../core/model/system-failure.ts'
import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  MAX_HOST_PAYLOAD,
  PROTOCOL_VERSION,
} from '../host/protocol.ts'

export interface HostClient {
  send(frame: Frame): void
  /** The next frame of one of these types, after `onFrame` has seen it. Throws E_HOST_GONE, E_HOST_BUSY. */
  expect<T extends Frame['type']>(...types: readonly T[]): Promise<Extract<Frame, { type: T }>>
  close(): void
}

export interface ClientEvents {
  /** Gets every frame, at once and in order. */
  onFrame(frame: Frame): void
  /** The connection has ended, but not by our own `close`. */
  onGone(): void
}

/** Milliseconds that a host may take to answer. A frozen host accepts connections and says nothing. */
const GREETING_PATIENCE = 5000

const NO_EVENTS: ClientEvents = { onFrame: () => {}, onGone: () => {} }

/** Throws E_HOST_GONE if no host answers, and E_TOO_MANY_FILES and the like if we cannot even ask. */
export async function connectHost(path: string, events: ClientEvents = NO_EVENTS): Promise<HostClient> {
  const socket = connect(path)
  const client = talk(socket, path, events)
  const timer = setTimeout(() => socket.destroy(), GREETING_PATIENCE)
  try {
    client.send({ type: 'hello', version: PROTOCOL_VERSION })
    await client.expect('hello')
    return client
  } finally {
    clearTimeout(timer)
  }
}

interface WaitingAnswer {
  readonly types: readonly Frame['type'][]
  readonly resolve: (frame: Frame) => void
  readonly reject: (error: AgencyError) => void
}

function talk(socket: Socket, path: string, events: ClientEvents): HostClient {
  const decoder = new FrameDecoder(MAX_HOST_PAYLOAD)
  let waiting: WaitingAnswer | null = null
  let closed = false
  let why = 'the connection ended'

  let busy = false
  let failed: AgencyError | null = null

  const take = (frame: Frame): void => {
    if (frame.type === 'refused') {
      why = frame.message
      busy = frame.busy === true
    }
    events.onFrame(frame)
    if (waiting?.types.includes(frame.type) !== true) return
    const { resolve } = waiting
    waiting = null
    resolve(frame)
  }
  const gone = (): AgencyError => {
    if (failed !== null) return failed
    return busy
      ? new AgencyError('E_HOST_BUSY', `the host at ${path} takes no more clients: ${why}`)
      : new AgencyError('E_HOST_GONE', `the host at ${path} does not answer: ${why}`)
  }

  socket.on('data', (chunk) => {
    try {
      for (const frame of decoder.push(chunk)) if (!closed) take(frame)
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
      socket.destroy()
    }
  })
  socket.on('error', (error) => {
    why = error.message
    // It is we who have no file left, say. That must not look as if the host were gone.
    if (isMachineFailure(error)) failed = asOurError(error, path)
  })
  socket.on('close', () => {
    waiting?.reject(gone())
    if (!closed) events.onGone()
    closed = true
  })
  return {
    send: (frame) => {
      if (socket.writable) socket.write(encodeFrame(frame))
    },
    expect: (...types) =>
      new Promise((resolve, reject) => {
        if (closed || socket.destroyed) return reject(gone())
        waiting = { types, resolve: resolve as (frame: Frame) => void, reject }
      }),
    close: () => {
      closed = true
      socket.end()
      socket.unref()
    },
  }
}
