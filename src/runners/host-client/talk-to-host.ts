// What can be said to a running host: end the runner, type into its terminal, join it.

import { STATE_VERSION } from '../../core/emulator/state-version.ts'
import type { AttachEvents, Attachment } from '../../core/model/runner.ts'
import { unreachable } from '../../core/model/unreachable.ts'
import { MAX_CLIENT_PAYLOAD, MOST_CELLS } from '../host/protocol.ts'
import { type ClientEvents, connectHost, type HostClient } from './client.ts'

/** Lines of history that a client gets with the screen: as many as the host keeps. */
const SCROLLBACK = 1000
/** Bytes of input in one frame. */
const PIECE = 1 << 15

export async function endRunner(socketPath: string, how: 'stop' | 'kill'): Promise<boolean> {
  const client = await connectHost(socketPath)
  client.send({ type: 'stop', how })
  const { ended } = await client.expect('stopped')
  client.close()
  return ended
}

export async function sendInput(socketPath: string, bytes: Uint8Array): Promise<void> {
  const client = await connectHost(socketPath)
  if (bytes.length <= MAX_CLIENT_PAYLOAD) client.send({ type: 'text', bytes })
  else type(client, bytes)
  // Its answer proves that everything before it was typed.
  client.send({ type: 'ping', token: 1 })
  await client.expect('status')
  client.close()
}

export async function attachToHost(
  socketPath: string,
  size: { columns: number; rows: number },
  events: AttachEvents,
): Promise<Attachment> {
  const client = await connectHost(socketPath, followTerminal(events))
  const form = events.onState === undefined ? {} : { state_version: STATE_VERSION }
  client.send({ type: 'attach', ...clampSize(size), scrollback: SCROLLBACK, ...form })
  await client.expect('snapshot', 'state')
  return {
    write: (bytes) => type(client, bytes),
    resize: (columns, rows) => client.send({ type: 'resize', ...clampSize({ columns, rows }) }),
    detach: () => client.close(),
  }
}

/** Tells nothing before the snapshot, and nothing after the end. */
function followTerminal(events: AttachEvents): ClientEvents {
  let state: 'joining' | 'joined' | 'ended' = 'joining'
  const end = (exit: Parameters<AttachEvents['onEnd']>[0]): void => {
    if (state !== 'joined') return
    state = 'ended'
    events.onEnd(exit)
  }
  return {
    onFrame: (frame) => {
      switch (frame.type) {
        case 'data':
          if (state === 'joined') events.onData(frame.bytes)
          break
        case 'snapshot':
          state = 'joined'
          events.onSnapshot(frame.bytes)
          break
        case 'state':
          state = 'joined'
          events.onState?.(frame.bytes)
          break
        case 'exit':
          end({ exit_code: frame.exit_code, exit_signal: frame.exit_signal })
          break
        // Answers to what was asked, which the connection itself waits for.
        case 'hello':
        case 'status':
        case 'stopped':
        case 'refused':
          break
        // A host does not send them.
        case 'attach':
        case 'resize':
        case 'input':
        case 'text':
        case 'ping':
        case 'stop':
          break
        default:
          unreachable(frame)
      }
    },
    onGone: () => end(null),
  }
}

/** The host accepts only sizes within these limits. */
function clampSize({ columns, rows }: { columns: number; rows: number }): { columns: number; rows: number } {
  const within = (cells: number): number => Math.min(MOST_CELLS, Math.max(1, Math.trunc(cells) || 1))
  return { columns: within(columns), rows: within(rows) }
}

function type(client: HostClient, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE) {
    client.send({ type: 'input', bytes: bytes.subarray(at, at + PIECE) })
  }
}
