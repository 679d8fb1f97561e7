// What the parsers do with what no transcript holds: noise, torn lines, older and newer shapes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamFormat } from '../../../src/core/model/runner.ts'
import { type StreamEvent, streamEventSchema } from '../../../src/core/model/stream-event.ts'
import { createStreamParser } from '../../../src/runners/stream/stream.ts'
import { AT, replay } from '../../support/runners/replay.ts'

const FORMATS: readonly StreamFormat[] = ['claude', 'codex', 'text']

const parse = (format: StreamFormat, ...messages: readonly unknown[]): readonly StreamEvent[] => {
  const parser = createStreamParser(format)
  return messages.flatMap((message) =>
    parser.parseLine(typeof message === 'string' ? message : JSON.stringify(message), AT),
  )
}

describe.each(FORMATS)('the %s parser', (format) => {
  test('takes any line at all', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), { maxLength: 5 }), (lines) => {
        for (const event of parse(format, ...lines)) streamEventSchema.parse(event)
      }),
    )
  })

  test('takes lines of its own types with anything in them', () => {
    const types = [
      'system',
      'assistant',
      'user',
      'result',
      'stream_event',
      'thread.started',
      'turn.completed',
    ]
    const type = fc.constantFrom(...types, 'turn.failed', 'error', 'item.started', 'item.completed')
    const keys = ['message', 'content', 'subtype', 'session_id', 'item', 'id', 'text', 'usage', 'is_error']
    const body = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(type, body, (name, rest) => {
        for (const event of parse(format, { ...rest, type: name })) streamEventSchema.parse(event)
      }),
    )
  })

  test('takes nesting deeper than the stack', () => {
    const deep = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"b","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}`
    expect(() => parse(format, deep)).not.toThrow()
  })

  test('keeps a line that is in no format it knows, as it stands', () => {
    const lines = ['{"type":"assist', 'Warning: no account', '[1,2]', '"text"', '{"type":"brand_new","x":1}']
    expect(parse(format, ...lines)).toEqual(
      lines.map((text) => ({ kind: 'output', stream: 'stdout', text, at: AT })),
    )
  })
})

test('a torn line costs that line only', () => {
  const parser = createStreamParser('codex')
  const torn = parser.parseLine('{"type":"thread.started","thre', AT)
  const whole = parser.parseLine('{"thread_id":"abc","type":"thread.started"}', AT)
  expect([...torn, ...whole].map(({ kind }) => kind)).toEqual(['output', 'session'])
})

test('blank lines are text where there is no format, and nothing where there is one', () => {
  expect(parse('text', '').length).toBe(1)
  expect(parse('claude', '', '  ')).toEqual([])
})

describe('claude', () => {
  const denials = [{ tool_name: 'Write', tool_use_id: 't1', tool_input: {} }]

  test('a call refused by an older version, which says so only in the end, turns out denied', () => {
    const events = parse(
      'claude',
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true }] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'Done', permission_denials: denials },
    )
    expect(events.map((event) => ('outcome' in event ? event.outcome : event.kind))).toEqual([
      'failed',
      'denied',
      'result',
    ])
    expect(events.at(-1)).toMatchObject({ usage: { denied_tools: ['Write'] } })
  })

  test('the cost of several results in one run adds up', () => {
    const usage = (cost: number): unknown => ({ m: { inputTokens: 10, outputTokens: 1, costUSD: cost } })
    const result = (since: number, total: number): unknown => ({
      type: 'result',
      subtype: 'success',
      is_error: false,
      total_cost_usd: total,
      modelUsage: usage(total),
      model_usage_since_last_result: usage(since),
    })
    const last = parse('claude', result(1, 5), result(2, 7)).at(-1)
    expect(last).toMatchObject({ usage: { cost_usd: 3, input_tokens: 20, output_tokens: 2 } })
  })

  test('a resume that finds no session says why', () => {
    const [event] = parse('claude', {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['No conversation found with session ID: abc'],
    })
    expect(event).toMatchObject({ ok: false, summary: 'No conversation found with session ID: abc' })
  })

  test('a session is announced once, though each of its turns begins with it', () => {
    const init = { type: 'system', subtype: 'init', session_id: 's', model: 'opus' }
    expect(parse('claude', init, init)).toHaveLength(1)
  })

  test('tool input without a telling field is shown whole', () => {
    const call = { type: 'tool_use', id: 't', name: 'Todo', input: { todos: [1] } }
    expect(parse('claude', { type: 'assistant', message: { content: [call] } })).toMatchObject([
      { kind: 'tool_call', input: '{"todos":[1]}' },
    ])
  })

  test('pictures in a tool result are named', () => {
    const content = [
      { type: 'text', text: 'Seen:' },
      { type: 'image', source: {} },
    ]
    const block = { type: 'tool_result', tool_use_id: 't', content }
    expect(parse('claude', { type: 'user', message: { content: [block] } })).toMatchObject([
      { output: 'Seen:\n[image]' },
    ])
  })
})

describe('codex', () => {
  const item = (type: string, fields: object, stage = 'completed'): unknown => ({
    type: `item.${stage}`,
    item: { id: 'i', type, ...fields },
  })

  test('a declined command is denied, and counted', () => {
    const command = item('command_execution', { command: 'rm x', status: 'declined' })
    const events = parse('codex', command, { type: 'turn.completed' })
    expect(events).toMatchObject([
      { kind: 'tool_call', input: 'rm x' },
      { kind: 'tool_result', outcome: 'denied' },
      { kind: 'result', usage: { denied_tools: ['shell'] } },
    ])
  })

  test('a plan is shown each time it changes', () => {
    const plan = (completed: boolean): object => ({ items: [{ text: 'Look', completed }] })
    const events = parse(
      'codex',
      item('todo_list', plan(false), 'started'),
      item('todo_list', plan(true), 'updated'),
    )
    expect(events).toMatchObject([{ input: '[ ] Look' }, { input: '[x] Look' }])
  })

  test('calls of a server are named after both, and their failure is told', () => {
    const call = {
      server: 'docs',
      tool: 'find',
      arguments: { query: 'x' },
      status: 'failed',
      error: { message: 'no' },
    }
    expect(parse('codex', item('mcp_tool_call', call))).toMatchObject([
      { tool: 'docs.find', input: 'x' },
      { outcome: 'failed', output: 'no' },
    ])
  })

  test('a failure that was not said before is an error as well', () => {
    const events = parse('codex', { type: 'turn.failed', error: { message: 'no quota' } })
    expect(events.map(({ kind }) => kind)).toEqual(['error', 'result'])
  })

  test('items of a new kind are kept as they stand when complete', () => {
    const events = parse('codex', item('hologram', {}, 'started'), item('hologram', { a: 1 }))
    expect(events).toMatchObject([{ kind: 'output', text: expect.stringContaining('hologram') }])
  })
})

test('a transcript has one result', () => {
  expect(replay('claude-hello').filter(({ kind }) => kind === 'result')).toHaveLength(1)
})
