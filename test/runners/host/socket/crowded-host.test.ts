import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { encodeFrame, PROTOCOL_VERSION } from '../../../../src/runners/host/protocol.ts'
import { startServer } from '../../../../src/runners/host/socket/server.ts'
import { attachToHost, endRunner, sendInput } from '../../../../src/runners/host-client/talk-to-host.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'

const HELLO = encodeFrame({ type: 'hello', version: PROTOCOL_VERSION })
const SIZE = { columns: 80, rows: 24 }
const NO_EVENTS = { onSnapshot: () => {}, onData: () => {}, onEnd: () => {} }

/** A host whose terminal shows as much as is asked for, and writes down what is typed. */
async function makeHost({ screen = 'screen' } = {}) {
  const path = join(makeScratch(), 's')
  const typed: string[] = []
  const terminal = {
    resize: () => {},
    state: () => Buffer.alloc(0),
    snapshot: () => Buffer.from(screen),
    write: (bytes: Uint8Array) => void typed.push(Buffer.from(bytes).toString()),
    send: (bytes: Uint8Array) => void typed.push(Buffer.from(bytes).toString()),
    pendingInput: () => 0,
    listen: () => {},
  }
  const server = await startServer({ path, terminal, end: async () => true })
  onTestFinished(() => server.close({ exit_code: 0, exit_signal: null }))
  return { path, typed }
}

async function crowd(path: string, many: number, greet: (socket: Socket) => void): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < many; n++) {
    const socket = connect(path).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    greet(socket)
    sockets.push(socket)
  }
  return sockets
}

sample(test).each([
  ['say nothing', () => {}],
  ['say half a greeting', (socket: Socket) => void socket.write(HELLO.subarray(0, 7))],
  ['announce a frame of a megabyte and never send it', (socket: Socket) => void socket.write(HUGE)],
  ['have closed their half', (socket: Socket) => void socket.end()],
  ['greet and say nothing more', (socket: Socket) => void socket.write(HELLO)],
])('a host answers the person however many clients %s', async (_, greet) => {
  const { path, typed } = await makeHost()
  await crowd(path, 80, greet)
  const attached = await attachToHost(path, SIZE, NO_EVENTS)
  await sendInput(path, Buffer.from('hello'))
  expect(typed).toEqual(['hello'])
  expect(await endRunner(path, 'stop')).toBe(true)
  attached.detach()
})

/** The header of a frame of one megabyte. */
const HUGE = Buffer.from([13, 0, 16, 0, 0])

test('whoever says nothing is dropped after a while, with nobody else there', async () => {
  const { path } = await makeHost()
  const [silent] = await crowd(path, 1, () => {})
  if (silent !== undefined) await once(silent.resume(), 'close')
  expect(silent?.destroyed).toBe(true)
})

test('where too many terminals show an agent, the next one is told so, and may still end it', async () => {
  const { path } = await makeHost()
  const shown = []
  for (let n = 0; n < 32; n++) shown.push(await attachToHost(path, SIZE, NO_EVENTS))
  await expect(attachToHost(path, SIZE, NO_EVENTS)).rejects.toMatchObject({ code: 'E_HOST_BUSY' })
  expect(await endRunner(path, 'kill')).toBe(true)
  shown.shift()?.detach()
  await expect
    .poll(() =>
      attachToHost(path, SIZE, NO_EVENTS).then(
        (joined) => joined.detach(),
        ({ code }) => code,
      ),
    )
    .toBeUndefined()
  for (const { detach } of shown) detach()
})

sample(test).each([
  ['its state', encodeFrame({ type: 'ping', token: 1 }), 'x'],
  ['its screen', encodeFrame({ type: 'attach', ...SIZE, scrollback: 0 }), 'x'.repeat(1 << 20)],
  ['an end', encodeFrame({ type: 'stop', how: 'stop' }), 'x'],
])('a client that asks for %s without an end and reads nothing is dropped', async (_, question, screen) => {
  const { path } = await makeHost({ screen })
  const [greedy] = await crowd(path, 1, (socket) => void socket.pause().write(HELLO))
  if (greedy === undefined) throw new Error('nobody came')
  const questions = Buffer.concat(Array.from({ length: 2000 }, () => question))
  let open = true
  greedy.on('close', () => {
    open = false
  })
  while (open) {
    if (greedy.writableLength < 1 << 20) greedy.write(questions)
    await nextTurn()
  }
  expect(greedy.destroyed).toBe(true)
})
