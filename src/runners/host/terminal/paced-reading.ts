// Reads a terminal at the pace of reading-pace.ts. While output gathers, the stream rests and we read by ourselves: a
// stream that wakes for each read costs more than everything that is done with the bytes. The reading is stopped below
// the stream, because a paused stream goes on reading into a buffer of its own, which is lost when it is destroyed.

import { readSync } from 'node:fs'
import type { TerminalChild } from '../../../core/doors/spawner/open-terminal.ts'
import { isErrno } from '../../../core/doors/system/files.ts'
import { createReadingPace, WHOLE_READ } from './reading-pace.ts'

export interface PacedReading {
  /** A key was pressed, so somebody waits for what comes. */
  typed(): void
  /** Hands over what is left, and reads no more. */
  finish(): void
}

/** Bytes that we take from a terminal at a time. */
const MOST_AT_A_TIME = 1 << 16

/** If Node's handles are not those that we know, everything is read as it comes. */
export function paceReading(child: TerminalChild, take: (chunk: Buffer) => void): PacedReading {
  const { _fd, _socket } = child
  const handle = _socket._handle
  const canRest = handle?.readStop !== undefined && handle.readStart !== undefined
  const pace = createReadingPace(() => performance.now())
  const readNow = openReader(_fd)
  let timer: NodeJS.Timeout | null = null
  /** Returns whether the next read can wait. */
  const hand = (chunk: Buffer): boolean => {
    take(chunk)
    const rest = pace.read(chunk.length)
    timer = canRest && rest > 0 ? setTimeout(readGathered, rest) : null
    return timer !== null
  }
  const readGathered = (): void => {
    const gathered = readNow()
    if (gathered === null || !hand(gathered)) wake()
  }
  const sleep = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const wake = (): void => {
    sleep()
    handle?.readStart?.()
  }
  _socket.on('data', (data) => {
    if (hand(data)) handle?.readStop?.()
  })
  return {
    typed: () => {
      pace.typed()
      if (timer !== null) wake()
    },
    finish: () => {
      sleep()
      for (let chunk = readNow(); chunk !== null; chunk = readNow()) take(chunk)
    },
  }
}

/** Reads all that is there, up to a limit; null if there is nothing, because the terminal does not block. */
function openReader(fd: number): () => Buffer | null {
  const buffer = Buffer.allocUnsafeSlow(MOST_AT_A_TIME)
  return () => {
    let filled = 0
    for (let length = WHOLE_READ; length === WHOLE_READ && filled + WHOLE_READ <= buffer.length; ) {
      length = readPart(fd, buffer.subarray(filled))
      filled += length
    }
    return filled === 0 ? null : Buffer.from(buffer.subarray(0, filled))
  }
}

function readPart(fd: number, part: Buffer): number {
  try {
    return readSync(fd, part)
  } catch (error) {
    if (isErrno(error, 'EAGAIN') || isErrno(error, 'EIO') || isErrno(error, 'EBADF')) return 0
    throw error
  }
}
