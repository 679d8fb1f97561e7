// One client of a host. Nothing that a client sends or fails to read may hurt the runner: garbage closes the
// connection, and so does a client that falls too far behind.

import type { Socket } from 'node:net'
import type { ExecEnd } from '../../../core/doors/spawner/exec.ts'
import { STATE_VERSION } from '../../../core/emulator/state-version.ts'
import type { LiveTerminal } from '../inside/running.ts'
import { encodeFrame, type Frame, FrameDecoder, MAX_CLIENT_PAYLOAD, PROTOCOL_VERSION } from '../protocol.ts'

/** Bytes of output that may wait for a client, in addition to its snapshot. */
const LONGEST_QUEUE = 2 << 20
/** Bytes of input that may wait for the runner before the sender has to wait too. */
const LONGEST_INPUT = 1 << 16
const INPUT_POLL = 20
/** Milliseconds for a client to say who it is. */
const GREETING_PATIENCE = 5000
/** Bytes of its first frame. Whoever says nothing sensible must not have us hold more. */
const LONGEST_GREETING = 1 << 10

export interface Served {
  /** null for a headless run. */
  readonly terminal: LiveTerminal | null
  readonly end: (how: 'stop' | 'kill') => Promise<boolean>
  readonly clients: () => number
  /** Whether one more may join the terminal. */
  readonly hasRoom: () => boolean
}

export interface ClientConnection {
  /** Whether it has joined the terminal. */
  hasJoined(): boolean
  /** Whether nothing would be lost with it: it has not joined, and waits for no answer. */
  isIdle(): boolean
  /** The screen has drawn these bytes: whole sequences, already encoded as a frame. */
  output(frame: Buffer): void
  exit(exit: ExecEnd): void
}

export function serveClient(socket: Socket, served: Served): ClientConnection {
  const decoder = new FrameDecoder(LONGEST_GREETING)
  const patience = setTimeout(() => socket.destroy(), GREETING_PATIENCE)
  let greeted = false
  let waiting = 0
  const asking: Served = {
    ...served,
    // The very promise, because its answer has to be sent before the host says farewell to all.
    end: (how) => {
      const ended = served.end(how)
      waiting += 1
      const answered = (): void => {
        waiting -= 1
      }
      ended.then(answered, answered)
      return ended
    },
  }
  /** Bytes that may wait for the client; null until it has its snapshot. */
  let queueLimit: number | null = null

  const take = (frame: Frame): void => {
    if (greeted) queueLimit = answer(frame) ?? queueLimit
    else greeted = greetClient(socket, frame)
    if (!greeted) return
    clearTimeout(patience)
    decoder.allow(MAX_CLIENT_PAYLOAD)
    // It asks and asks, and reads no answer.
    if (socket.writableLength > (queueLimit ?? LONGEST_QUEUE)) socket.destroy()
  }
  const answer = (frame: Frame): number | null => {
    if (frame.type !== 'attach' || queueLimit !== null || served.hasRoom()) {
      return answerFrame(socket, asking, frame)
    }
    refuse(socket, 'too many terminals show this agent', true)
    return null
  }
  socket.on('error', () => {})
  socket.on('close', () => clearTimeout(patience))
  socket.on('data', (chunk) => {
    try {
      for (const frame of decoder.push(chunk)) if (socket.writable) take(frame)
    } catch {
      socket.destroy()
    }
  })
  return {
    hasJoined: () => queueLimit !== null,
    isIdle: () => queueLimit === null && waiting === 0,
    output: (frame) => {
      if (queueLimit === null || !socket.writable) return
      if (socket.writableLength > queueLimit) socket.destroy()
      else socket.write(frame)
    },
    exit: (exit) => {
      if (socket.writable) socket.end(encodeFrame({ type: 'exit', ...exit }))
    },
  }
}

const send = (socket: Socket, frame: Frame): void => {
  if (socket.writable) socket.write(encodeFrame(frame))
}

const refuse = (socket: Socket, message: string, busy = false): void => {
  socket.end(encodeFrame({ type: 'refused', message, busy }))
}

function greetClient(socket: Socket, frame: Frame): boolean {
  const understood = frame.type === 'hello' && frame.version === PROTOCOL_VERSION
  if (understood) send(socket, { type: 'hello', version: PROTOCOL_VERSION })
  else refuse(socket, `this host speaks version ${PROTOCOL_VERSION} of its protocol`)
  return understood
}

/** If the frame joins the client to the terminal: how many bytes may wait for it from now on. Otherwise null. */
function answerFrame(socket: Socket, { terminal, end, clients }: Served, frame: Frame): number | null {
  switch (frame.type) {
    case 'ping':
      send(socket, { type: 'status', token: frame.token, clients: clients() })
      return null
    case 'stop':
      void end(frame.how).then((ended) => send(socket, { type: 'stopped', ended }))
      return null
    case 'attach':
    case 'resize':
    case 'input':
    case 'text':
      if (terminal !== null) return useTerminal(socket, terminal, frame)
      refuse(socket, 'the runner has no terminal')
      return null
    case 'hello':
    case 'snapshot':
    case 'state':
    case 'data':
    case 'status':
    case 'stopped':
    case 'exit':
    case 'refused':
      refuse(socket, `a client does not send '${frame.type}'`)
      return null
  }
}

type TerminalFrame = Extract<Frame, { type: 'attach' | 'resize' | 'input' | 'text' }>

function useTerminal(socket: Socket, terminal: LiveTerminal, frame: TerminalFrame): number | null {
  switch (frame.type) {
    case 'attach':
      return joinScreen(socket, terminal, frame)
    case 'resize':
      terminal.resize(frame.columns, frame.rows)
      return null
    case 'input':
      typeInto(terminal, socket, () => terminal.write(frame.bytes))
      return null
    case 'text':
      typeInto(terminal, socket, () => terminal.send(Buffer.from(frame.bytes)))
      return null
  }
}

/** The emulator draws at once, so no output can come between the snapshot and what follows it. */
function joinScreen(
  socket: Socket,
  terminal: LiveTerminal,
  frame: Extract<Frame, { type: 'attach' }>,
): number {
  terminal.resize(frame.columns, frame.rows)
  const type = frame.state_version === STATE_VERSION ? 'state' : 'snapshot'
  const bytes = terminal[type](frame.scrollback)
  send(socket, { type, bytes })
  return LONGEST_QUEUE + bytes.length
}

/** If the runner does not read its input, its sender has to wait, and nobody else. */
function typeInto(terminal: LiveTerminal, sender: Socket, type: () => void): void {
  type()
  if (terminal.pendingInput() <= LONGEST_INPUT) return
  sender.pause()
  const timer = setInterval(() => {
    if (terminal.pendingInput() > LONGEST_INPUT && !sender.destroyed) return
    clearInterval(timer)
    sender.resume()
  }, INPUT_POLL)
}
