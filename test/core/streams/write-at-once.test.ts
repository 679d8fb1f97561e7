import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAtOnce } from '../../../src/core/streams/write-at-once.ts'

let place: string
let server: Server
let path: string

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'agency-write-'))
  path = join(place, 'socket')
  server = createServer({ allowHalfOpen: true }).listen(path)
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
  rmSync(place, { recursive: true })
})

async function connected(): Promise<{ near: Socket; far: Socket }> {
  const accepted = once(server, 'connection')
  const near = connect(path)
  const [[far]] = (await Promise.all([accepted, once(near, 'connect')])) as [[Socket], unknown]
  return { near, far }
}

type Step =
  | { readonly by: 'us' | 'stream'; readonly length: number }
  | { readonly by: 'reader'; readonly reads: boolean }
  | { readonly by: 'turn' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    by: fc.constantFrom('us' as const, 'stream' as const),
    length: fc.constantFrom(1, 6, 5000, 300_000),
  }),
  fc.record({ by: fc.constant('reader' as const), reads: fc.boolean() }),
  fc.record({ by: fc.constant('turn' as const) }),
)

test('whole and in order, also where the reader lags behind and the stream is written to in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { near, far } = await connected()
      const sent: Buffer[] = []
      const read: Buffer[] = []
      far.on('data', (chunk) => void read.push(chunk))
      for (const one of steps) await carryOut(one, { near, far, sent })
      far.resume()
      near.end()
      await once(far, 'end')
      far.end()
      expect(Buffer.concat(read).equals(Buffer.concat(sent))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

interface Ends {
  readonly near: Socket
  readonly far: Socket
  readonly sent: Buffer[]
}

async function carryOut(one: Step, { near, far, sent }: Ends): Promise<void> {
  if (one.by === 'turn') return turn()
  if (one.by === 'reader') return void far[one.reads ? 'resume' : 'pause']()
  const bytes = Buffer.alloc(one.length, sent.length)
  sent.push(bytes)
  if (one.by === 'us') writeAtOnce(near, bytes)
  else near.write(bytes)
}

test('what the other side can take is there before anything else runs', async () => {
  const { near, far } = await connected()
  const read = once(far, 'data')
  expect(writeAtOnce(near, Buffer.from('now'))).toBe(true)
  expect([near.writableLength, near.bytesWritten]).toEqual([0, 0])
  expect(String((await read)[0])).toBe('now')
  near.destroy()
  far.destroy()
})

test('before the connection stands it waits in the stream', async () => {
  const accepted = once(server, 'connection')
  const near = connect(path)
  writeAtOnce(near, Buffer.from('early'))
  const [far] = (await accepted) as [Socket]
  expect(String((await once(far, 'data'))[0])).toBe('early')
  near.destroy()
  far.destroy()
})

test('a file that has taken the number of a closed socket is not written to', async () => {
  const { near, far } = await connected()
  const number = near as Socket & { readonly _handle: { readonly fd: number } }
  const before = number._handle.fd
  near.destroy()
  await once(near, 'close')
  const file = join(place, 'file')
  const opened: number[] = []
  do opened.push(openSync(file, 'a'))
  while (opened.at(-1) !== before && opened.length < 1000)
  writeAtOnce(near, Buffer.from('astray'))
  expect([opened.at(-1), readFileSync(file, 'utf8')]).toEqual([before, ''])
  for (const one of opened) closeSync(one)
  far.destroy()
})
