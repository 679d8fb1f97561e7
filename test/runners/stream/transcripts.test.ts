// Every recorded run of the real CLIs, read as a host reads it: what it was, what it said, what it cost, how it ended.

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { streamEventSchema } from '../../../src/core/model/stream-event.ts'
import { deriveOutcome } from '../../../src/runners/stream/outcome.ts'
import { transcriptPath } from '../../support/runners/fake-runner.ts'
import { RECORDED_RUNS } from '../../support/runners/recorded-runs.ts'
import { cutBytes, endOf, eventsOf, readEvents, replay } from '../../support/runners/replay.ts'

test('every transcript has its row', () => {
  const files = readdirSync(transcriptPath('.').replace(/\/[^/]*$/, ''))
  expect(files.map((file) => file.replace(/\.jsonl$/, '')).sort()).toEqual(Object.keys(RECORDED_RUNS).sort())
})

describe.each(Object.entries(RECORDED_RUNS))('%s', (name, expected) => {
  const events = replay(name)

  test('begins with its session and no line is left unread', () => {
    expect(events[0]).toMatchObject({ kind: 'session', session_id: expected.session })
    expect(eventsOf(events, 'session')).toHaveLength(1)
    expect(eventsOf(events, 'output').filter(({ stream }) => stream === 'stdout')).toEqual([])
  })

  test('says each of its texts once', () => {
    expect(eventsOf(events, 'text').map(({ text }) => shorten(text))).toEqual(expected.texts)
  })

  test('joins each call to its result', () => {
    expect(describeCalls(name)).toEqual(expected.calls ?? [])
  })

  test('costs what the runner said of this run', () => {
    const usage = eventsOf(events, 'result').at(-1)?.usage
    if (expected.spent === null) return expect(usage).toBeUndefined()
    const [cost, input, output] = expected.spent
    expect(usage).toMatchObject({ input_tokens: input, output_tokens: output })
    if (cost === null) expect(usage?.cost_usd).toBeNull()
    else expect(usage?.cost_usd).toBeCloseTo(cost, 9)
    expect(usage?.denied_tools).toEqual(expected.denied ?? [])
  })

  test(`is judged ${expected.outcome}`, () => {
    const outcome = deriveOutcome(endOf(events, expected.end))
    expect(`${outcome.status} ${outcome.exit_reason}`).toBe(expected.outcome)
    if (expected.failure === undefined) expect(outcome.failure).toBeNull()
    else expect(outcome.failure).toMatch(expected.failure)
  })

  test('gives events that the log accepts', () => {
    for (const event of events) expect(streamEventSchema.parse(event)).toEqual(event)
  })
})

test('the same events come out however the bytes are cut', () => {
  const names = ['claude-hello-partial', 'claude-slow-SIGINT', 'codex-err500-r0', 'codex-commit-ww-gitdir']
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(fc.nat(4000), { maxLength: 40 }), (name, sizes) => {
      const format = name.startsWith('claude') ? 'claude' : 'codex'
      expect(readEvents(format, cutBytes(readFileSync(transcriptPath(name)), sizes))).toEqual(replay(name))
    }),
    { numRuns: 60 },
  )
})

/** `Bash failed 3`: tool, outcome, exit code where known, in the order in which the calls ended. */
function describeCalls(name: string): readonly string[] {
  const events = replay(name)
  const tools = new Map(eventsOf(events, 'tool_call').map(({ call_id: id, tool }) => [id, tool]))
  return eventsOf(events, 'tool_result').map(({ call_id: id, outcome, exit_code: code }) =>
    [tools.get(id), outcome, ...(code === null ? [] : [code])].join(' '),
  )
}

const shorten = (text: string): string =>
  text.length < 80 ? text : `${text.split(' ').slice(0, 3).join(' ')} …`
