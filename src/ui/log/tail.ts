// Reads a file that another process appends to, from its beginning. The file need not exist yet.

import { setTimeout as sleep } from 'node:timers/promises'
import { LOG_BOUNDS, openRegularFile } from '../../core/doors/system/regular-file.ts'

export interface TailOptions {
  /**
   * Settles when nothing more will be written. null: read what is there and stop. 'stopped': go on until the signal. A
   * rejection is passed on.
   */
  readonly until: Promise<unknown> | 'stopped' | null
  /** Stops at once. */
  readonly signal?: AbortSignal
  /** The byte to start at. */
  readonly from?: number
  /** Settles when the file should be looked at again, for a caller that need not see it all the time. */
  readonly nextLook?: () => Promise<void>
}

const CHUNK = 65_536
/** Milliseconds between two looks at the file. */
const PACE = 100

export async function* tailFile(path: string, options: TailOptions): AsyncGenerator<Buffer> {
  const { until, signal, from = 0, nextLook = () => pause(signal) } = options
  let over = until === null
  let offset = from
  const finish = (): void => {
    over = true
  }
  const end = until === 'stopped' ? undefined : until?.then(finish)
  end?.catch(() => {})
  const stopped = (): boolean => signal?.aborted ?? false
  while (!stopped()) {
    const last = over
    for await (const chunk of readFrom(path, offset)) {
      offset += chunk.length
      yield chunk
      if (stopped()) return
    }
    if (last) return
    await (end === undefined ? nextLook() : Promise.race([end, nextLook()]))
  }
}

async function* readFrom(path: string, offset: number): AsyncGenerator<Buffer> {
  const file = await openRegularFile(path, LOG_BOUNDS)
  if (file === null) return
  try {
    for (let at = offset; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await sleep(PACE, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}
