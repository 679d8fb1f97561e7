// Draws the terminal of a run that has ended from its recording (asciicast v2), so that its last screen and its history
// can be looked at again.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { LOG_BOUNDS, openRegularFile } from '../../../core/doors/system/regular-file.ts'
import type { Pane } from '../pane/pane.ts'

/** Bytes that are read from the end: more than a pane's history can hold. */
const TAIL = 2 * 1024 * 1024
/** Lines that are drawn before keys get their turn. */
const SLICE = 200

/** Leaves the pane at the size that the recording ended with. If there is no recording, draws nothing. */
export async function replayRecording(path: string, pane: Pane, isOver: () => boolean): Promise<void> {
  const lines = (await readTail(path)).split('\n')
  for (let at = 0; at < lines.length && !isOver(); at += SLICE) {
    for (const line of lines.slice(at, at + SLICE)) replayLine(line, pane)
    await nextTurn()
  }
}

async function readTail(path: string): Promise<string> {
  const file = await openRegularFile(path, LOG_BOUNDS)
  if (file === null) return ''
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A torn line draws nothing. */
function replayLine(line: string, pane: Pane): void {
  const event = parseCastLine(line)
  if (event === null) return
  if (event.kind === 'o') pane.write(Buffer.from(event.data, 'utf8'))
  else pane.resize(event.size)
}

type CastEvent =
  | { readonly kind: 'o'; readonly data: string }
  | { readonly kind: 'r'; readonly size: { readonly columns: number; readonly rows: number } }

function parseCastLine(line: string): CastEvent | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!Array.isArray(value)) return parseHeader(value)
  const [, kind, data] = value as unknown[]
  if (typeof data !== 'string') return null
  if (kind === 'o') return { kind: 'o', data }
  const match = kind === 'r' ? /^(\d{1,4})x(\d{1,4})$/.exec(data) : null
  return match === null ? null : sizeEvent(Number(match[1]), Number(match[2]))
}

function parseHeader(value: unknown): CastEvent | null {
  if (typeof value !== 'object' || value === null) return null
  const { width, height } = value as { width?: unknown; height?: unknown }
  return typeof width === 'number' && typeof height === 'number' ? sizeEvent(width, height) : null
}

const sizeEvent = (columns: number, rows: number): CastEvent => ({
  kind: 'r',
  size: { columns: clampCells(columns), rows: clampCells(rows) },
})

const clampCells = (cells: number): number => Math.max(1, Math.min(1000, Math.floor(cells)))
