// Reads a file that another process is appending to, from its beginning, also before it exists.

import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TailOptions {
  /** Settles when nothing more will be written; null reads what is there and stops. A rejection is passed on. */
  readonly until: Promise<unknown> | null
  /** Stops at once. */
  readonly signal?: AbortSignal
}

const CHUNK = 65_536
/** Milliseconds between two looks at the file. */
const PACE = 100

export async function* tailFile(path: string, { until, signal }: TailOptions): AsyncGenerator<Buffer> {
  let over = until === null
  let offset = 0
  const end = until?.then(() => {
    over = true
  })
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
    await Promise.race([end, pause(signal)])
  }
}

async function* readFrom(path: string, offset: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
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
