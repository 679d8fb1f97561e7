// The recording of a terminal: asciicast version 2, which `asciinema play` and `asciinema cat` read.

import { StringDecoder } from 'node:string_decoder'
import type { AppendedLog } from '../inside/appended-log.ts'

export interface Cast {
  output(chunk: Buffer): void
  resize(columns: number, rows: number): void
  /** Writes what is left of an unfinished character. */
  end(): void
}

export interface CastDoors {
  readonly log: AppendedLog
  readonly now: () => Date
}

export function openCast({ log, now }: CastDoors, size: { columns: number; rows: number }): Cast {
  const decoder = new StringDecoder('utf8')
  const started = now().getTime()
  const seconds = (): number => (now().getTime() - started) / 1000
  const add = (code: 'o' | 'r', text: string): void => {
    if (text !== '') log.append(`${JSON.stringify([seconds(), code, text])}\n`)
  }
  const header = {
    version: 2,
    width: size.columns,
    height: size.rows,
    timestamp: Math.floor(started / 1000),
    env: { TERM: 'xterm-256color' },
  }
  log.append(`${JSON.stringify(header)}\n`)
  return {
    output: (chunk) => add('o', decoder.write(chunk)),
    resize: (columns, rows) => add('r', `${columns}x${rows}`),
    end: () => add('o', decoder.end()),
  }
}
