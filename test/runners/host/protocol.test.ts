import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  MAX_CLIENT_PAYLOAD,
} from '../../../src/runners/host/protocol.ts'

const size = { columns: fc.integer({ min: 1, max: 1000 }), rows: fc.integer({ min: 1, max: 1000 }) }
const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some))
const code = fc.option(fc.nat(255), { nil: null })
const frames: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ type: fc.constant('hello' as const), version: fc.nat() }),
  fc.record({ type: fc.constant('attach' as const), ...size, scrollback: fc.nat() }),
  fc.record({ type: fc.constant('attach' as const), ...size, scrollback: fc.nat(), state_version: fc.nat() }),
  fc.record({ type: fc.constant('resize' as const), ...size }),
  fc.record({
    type: fc.constantFrom('snapshot' as const, 'state' as const, 'data' as const, 'input' as const),
    bytes,
  }),
  fc.record({ type: fc.constant('stop' as const), how: fc.constantFrom('stop' as const, 'kill' as const) }),
  fc.record({ type: fc.constant('stopped' as const), ended: fc.boolean() }),
  fc.record({ type: fc.constant('exit' as const), exit_code: code, exit_signal: fc.constant('SIGTERM') }),
  fc.record({ type: fc.constant('ping' as const), token: fc.nat() }),
  fc.record({ type: fc.constant('status' as const), token: fc.nat(), clients: fc.nat() }),
  fc.record({ type: fc.constant('refused' as const), message: fc.string() }),
)

/** Cuts at every place that `cuts` names. */
function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, index) => whole.subarray(from, places[index] ?? whole.length))
}

test('frames come out as they went in, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 30 }), (sent, cuts) => {
      const decoder = new FrameDecoder(MAX_CLIENT_PAYLOAD)
      const whole = Buffer.concat(sent.map(encodeFrame))
      expect(cut(whole, cuts).flatMap((chunk) => decoder.push(chunk))).toEqual(sent)
    }),
  )
})

test('a frame that is longer than allowed is refused before any of it is kept', () => {
  const decoder = new FrameDecoder(100)
  expect(() => decoder.push(Buffer.from([5, 0, 0, 0, 101]))).toThrow(/a frame of 101 bytes/)
  expect(new FrameDecoder(100).push(encodeFrame({ type: 'input', bytes: Buffer.alloc(100) }))).toHaveLength(1)
})

test('an unknown type, broken JSON and a field out of range are refused', () => {
  const frame = (type: number, payload: string): Buffer => {
    const head = Buffer.from([type, 0, 0, 0, payload.length])
    return Buffer.concat([head, Buffer.from(payload)])
  }
  const push = (chunk: Buffer) => () => new FrameDecoder(1000).push(chunk)
  expect(push(frame(99, ''))).toThrow(/type 99/)
  expect(push(frame(1, '{'))).toThrow(/'hello'/)
  expect(push(frame(6, '{"columns":0,"rows":24}'))).toThrow(/'resize'/)
  expect(push(frame(7, '{"how":"please"}'))).toThrow(/'stop'/)
})

test('no bytes at all make the decoder fail in another way or answer with what is no frame', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
      const decoder = new FrameDecoder(1000)
      try {
        for (const frame of decoder.push(garbage)) expect(frame.type).toBeTypeOf('string')
      } catch (error) {
        expect(error).toMatchObject({ code: 'E_HOST_GONE' })
      }
    }),
  )
})
