// A log that is appended chunk by chunk, each written within the turn that brings it: a host that is killed loses
// nothing that it was given. A full disk costs output, never the runner.

import { closeSync, openSync, writeSync } from 'node:fs'
import { FILE_MODE } from '../../../core/doors/system/files.ts'

export interface AppendedLog {
  append(data: Uint8Array | string): void
  close(): void
}

export interface LogOptions {
  /** Our own formats are of whole lines: what follows a gap begins on a new one. Verbatim logs are left as they are. */
  readonly lines: boolean
  /** Told each time that something could not be written, with its length. */
  readonly onLost: (bytes: number, error: unknown) => void
}

export function openAppendedLog(path: string, options: LogOptions): AppendedLog {
  const file = openSync(path, 'a', FILE_MODE)
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
