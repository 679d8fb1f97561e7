// A log to which each chunk is appended in the same turn that brings it, so that a killed host loses nothing. A full
// disk costs output, but never the runner.

import { closeSync, writeSync } from 'node:fs'
import { FILE_MODE, makeWay } from '../../../core/doors/system/files.ts'
import { openToAppend } from '../../../core/doors/system/regular-file.ts'

export interface AppendedLog {
  append(data: Uint8Array | string): void
  close(): void
}

export interface LogOptions {
  /**
   * True for our own formats, which consist of lines: after a gap a new line is begun. Verbatim logs are never changed.
   */
  readonly lines: boolean
  /** Called each time that something could not be written, with its length. */
  readonly onLost: (bytes: number, error: unknown) => void
}

export function openAppendedLog(path: string, options: LogOptions): AppendedLog {
  makeWay(path)
  const { fd: file } = openToAppend(path, { mode: FILE_MODE, read: false })
  let torn = false
  const write = (bytes: Uint8Array): void => {
    let done = 0
    try {
      while (done < bytes.length) done += writeSync(file, bytes, done)
    } catch (error) {
      torn = options.lines
      options.onLost(bytes.length - done, error)
    }
  }
  return {
    append: (data) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      if (!torn) return write(bytes)
      torn = false
      write(Buffer.concat([Buffer.from('\n'), bytes]))
    },
    close: () => closeSync(file),
  }
}
