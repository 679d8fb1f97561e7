// Reads a log for a screen: first its end, however long it is, then what is appended, and older parts when they are
// asked for.

import type { FileHandle } from 'node:fs/promises'
import { LOG_BOUNDS, openRegularFile } from '../../core/doors/system/regular-file.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { createLogDecoder } from './log-decoder.ts'
import type { LogBatch, LogFile, LogItem } from './log-file.ts'
import { tailFile } from './tail.ts'

/** Bytes that are read first, and with each step back. */
const PART = 2 << 20
/** Bytes. A part grows up to this size until a line begins in it. */
const WIDEST_PART = 4 * PART
const CHUNK = 65_536
const NEWLINE = 0x0a

export interface LogReading {
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** Settles when the file should be looked at again. Without it, that is every 100 ms. */
  readonly nextLook?: () => Promise<void>
}

/**
 * Yields the last part of the log and then what is appended, until it is aborted. For an empty log the first batch is
 * empty.
 */
export async function* readLog(file: LogFile, { signal, nextLook }: LogReading): AsyncGenerator<LogBatch> {
  const { form } = file
  try {
    const { from, size } = await findTail(file.path)
    const decoder = createLogDecoder(file)
    let to = from
    if (size === 0) yield { form, items: [], from, to }
    const look = nextLook === undefined ? {} : { nextLook }
    for await (const chunk of tailFile(file.path, { until: 'stopped', signal, from, ...look })) {
      const items = await decoder.feed(chunk)
      yield { form, items, from: to, to: to + chunk.length }
      to += chunk.length
    }
  } catch (cause) {
    throw unreadableLog(file, cause)
  }
}

/** The part that ends at `before`, which has to be where a batch began. */
export async function readOlder(file: LogFile, before: number): Promise<LogBatch> {
  try {
    const older = await withFile(file.path, async (handle) => {
      const from = await findLineStart(handle, before)
      const decoder = createLogDecoder(file)
      const items: LogItem[] = []
      for await (const chunk of readBytes(handle, from, before)) appendItems(items, await decoder.feed(chunk))
      appendItems(items, await decoder.end())
      return { form: file.form, items, from, to: before }
    })
    return older ?? { form: file.form, items: [], from: 0, to: before }
  } catch (cause) {
    throw unreadableLog(file, cause)
  }
}

/** Where the last part begins. 0 if the file is shorter than that, or does not exist yet. */
async function findTail(path: string): Promise<{ readonly from: number; readonly size: number }> {
  const found = await withFile(path, async (handle) => {
    const { size } = await handle.stat()
    return { from: await findLineStart(handle, size), size }
  })
  return found ?? { from: 0, size: 0 }
}

/** Where the first line begins in the last part before `to`. In an endless line it is a place inside it. */
async function findLineStart(handle: FileHandle, to: number): Promise<number> {
  for (let size = PART; size <= WIDEST_PART; size *= 2) {
    if (size >= to) return 0
    const found = await findNewline(handle, to - size, to - 1)
    if (found !== null) return found + 1
  }
  return to - WIDEST_PART
}

async function findNewline(handle: FileHandle, from: number, to: number): Promise<number | null> {
  let at = from
  for await (const chunk of readBytes(handle, from, to)) {
    const found = chunk.indexOf(NEWLINE)
    if (found >= 0) return at + found
    at += chunk.length
  }
  return null
}

async function* readBytes(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const length = Math.min(CHUNK, to - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** null where there is no file. */
async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T | null> {
  const handle = await openRegularFile(path, LOG_BOUNDS)
  if (handle === null) return null
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/** Not by spreading: a part may have more items than a call may have arguments. */
function appendItems(items: LogItem[], more: readonly LogItem[]): void {
  for (const item of more) items.push(item)
}

function unreadableLog({ path }: LogFile, cause: unknown): AgencyError {
  if (cause instanceof AgencyError && cause.code !== 'E_FILE_UNREADABLE') return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgencyError('E_RECORD_UNREADABLE', `the log cannot be read: ${why}`, {
    hint: 'check the owner and the mode of the file',
    details: { path },
    cause,
  })
}
