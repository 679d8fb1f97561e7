// What a client gets that joins a terminal: the state if it reads the version of it that its host writes, otherwise a
// drawing, so that hosts and clients of other versions still understand each other.

import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { loadState } from '../../../../src/core/emulator/emulator-state.ts'
import { STATE_VERSION } from '../../../../src/core/emulator/state-version.ts'
import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  PROTOCOL_VERSION,
} from '../../../../src/runners/host/protocol.ts'
import { serveClient } from '../../../../src/runners/host/socket/client-connection.ts'
import { openHostScreen, openWatcher } from '../../../support/terminal/joining.ts'

const SIZE = { columns: 30, rows: 5 }

/** The frame that answers an `attach`. */
async function join(asked: object): Promise<Frame | undefined> {
  const screen = await openHostScreen(SIZE)
  screen.feed(Buffer.from('\x1b[31mhello'))
  const socket = new PassThrough() as unknown as Socket
  const sent: Buffer[] = []
  socket.write = ((bytes: Buffer) => sent.push(bytes) > 0) as typeof socket.write
  const terminal = {
    ...screen,
    snapshot: (scrollback: number) => Buffer.from(screen.snapshot(scrollback)),
    write: () => {},
    send: () => {},
    pendingInput: () => 0,
    listen: () => {},
  }
  serveClient(socket, { terminal, end: async () => true, clients: () => 1, hasRoom: () => true })
  const attach = { type: 'attach', ...SIZE, scrollback: 10, ...asked } as Extract<Frame, { type: 'attach' }>
  for (const frame of [{ type: 'hello', version: PROTOCOL_VERSION } as const, attach]) {
    socket.emit('data', encodeFrame(frame))
  }
  return new FrameDecoder(1 << 20).push(Buffer.concat(sent)).at(-1)
}

test.each([
  ['asks for no state', {}],
  ['reads another version of the state', { state_version: STATE_VERSION + 1 }],
  ['is of a time that knows more', { future_field: true }],
])('a client gets a drawing that %s', async (_, asked) => {
  const frame = await join(asked)
  expect(frame).toMatchObject({ type: 'snapshot' })
  if (frame?.type === 'snapshot') expect(Buffer.from(frame.bytes).toString()).toContain('hello')
})

test('a client gets the state that reads its version', async () => {
  const frame = await join({ state_version: STATE_VERSION })
  const watcher = await openWatcher({ columns: 2, rows: 1 })
  if (frame?.type === 'state') loadState(watcher, frame.bytes)
  expect(watcher.terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('hello')
  expect(watcher.terminal.cols).toBe(SIZE.columns)
})
