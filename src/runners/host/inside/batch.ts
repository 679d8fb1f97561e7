// Writes many small lines at once, with little garbage: one chunk of output may be a thousand events.

import type { AppendedLog } from './appended-log.ts'

export interface Batch {
  add(text: string): void
  flush(): void
}

export function createBatch(log: AppendedLog): Batch {
  const buffer = Buffer.allocUnsafeSlow(1 << 15)
  let filled = 0
  const flush = (): void => {
    if (filled > 0) log.append(buffer.subarray(0, filled))
    filled = 0
  }
  return {
    add: (text) => {
      const most = text.length * 3
      if (most > buffer.length - filled) flush()
      if (most > buffer.length) log.append(text)
      else filled += buffer.write(text, filled)
    },
    flush,
  }
}
