import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAtOnce } from '../../../src/core/streams/read-at-once.ts'

type Step = { readonly do: 'pause' | 'resume' | 'turn' } | { readonly do: 'push'; readonly bytes: Buffer }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'turn' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => ({
      do: 'push' as const,
      bytes: Buffer.from(bytes),
    })),
  },
)

interface Told {
  /** After each step: what has been handed over, and whether the stream is to go on reading. */
  readonly seen: string[]
  readonly goesOn: boolean[]
}

/** What is told of a stream that is pushed into from outside, as a socket is, and takes little ahead. */
async function tell(
  steps: readonly Step[],
  listen: (stream: Readable, take: (chunk: Buffer) => void) => void,
) {
  const stream = new Readable({ read: () => {}, highWaterMark: 50 })
  const told: Told = { seen: [], goesOn: [] }
  let all = ''
  listen(stream, (chunk) => {
    all += chunk.toString('hex')
  })
  await turn()
  for (const one of steps) {
    if (one.do === 'push') told.goesOn.push(stream.push(one.bytes))
    else if (one.do === 'turn') await turn()
    else stream[one.do]()
    told.seen.push(all)
  }
  stream.push(null)
  stream.resume()
  await turn()
  return { ...told, all, ended: stream.readableEnded }
}

test('the same is handed over at the same time as by the stream itself, paused or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const byStream = await tell(steps, (stream, take) => void stream.on('data', take))
      expect(await tell(steps, readAtOnce)).toEqual(byStream)
    }),
    { numRuns: 500 },
  )
})

test('who stops listening is told nothing more, and the stream goes on as any other', async () => {
  const stream = new Readable({ read: () => {} })
  const [before, after]: string[][] = [[], []]
  const stop = readAtOnce(stream, (chunk) => void before?.push(chunk.toString()))
  await turn()
  stream.push('one')
  stop()
  stream.on('data', (chunk: Buffer) => void after?.push(chunk.toString()))
  stream.push('two')
  expect([before, after]).toEqual([['one'], ['two']])
})
