import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../../../../src/core/model/stream-event.ts'
import type { LogAction, LogMove } from '../../../../src/ui/screen/log/act-on-log.ts'
import { viewLog } from '../../../../src/ui/screen/log/view-log.ts'
import { renderLine } from '../../../../src/ui/text/line.ts'
import { paintNothing } from '../../../../src/ui/text/theme.ts'
import { widthOf } from '../../../../src/ui/text/width.ts'
import {
  call,
  drawLog,
  LOG_LOOK,
  logOf,
  press,
  rectOf,
  result,
  words,
} from '../../../support/dashboard/log-screen.ts'

const SIZE = { columns: 40, rows: 12 }
const at = '2026-01-28T12:05:00.000Z'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        'word ',
        '\x1b[2J',
        '\x1b]52;c;aGk=\x07',
        '\u202e',
        '\ud800',
        '\u0301'.repeat(100),
        '漢字',
        '\n',
        '\t',
        '\r',
        '{bold}',
      ),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join('')),
)

const anyEvent: fc.Arbitrary<StreamEvent | string> = fc.oneof(
  anyText,
  fc.record({
    at: fc.constantFrom(at, 'nonsense', ''),
    kind: fc.constantFrom('text' as const, 'prompt' as const, 'reasoning' as const),
    text: anyText,
  }),
  fc.record({
    at: fc.constant(at),
    kind: fc.constant('tool_call' as const),
    call_id: fc.constantFrom('1', '2'),
    tool: anyText,
    input: anyText,
  }),
  fc.record({
    at: fc.constant(at),
    kind: fc.constant('tool_result' as const),
    call_id: fc.constantFrom('1', '2', '3'),
    output: anyText,
    outcome: fc.constantFrom('ok' as const, 'failed' as const, 'denied' as const),
    exit_code: fc.constantFrom(null, 1),
  }),
  fc.record({
    at: fc.constant(at),
    kind: fc.constant('error' as const),
    message: anyText,
    retrying: fc.boolean(),
  }),
  fc.record({
    at: fc.constant(at),
    kind: fc.constant('session' as const),
    session_id: anyText,
    model: fc.option(anyText),
  }),
)

const anyKey: fc.Arbitrary<LogAction | LogMove> = fc.constantFrom(
  'up',
  'down',
  'page_up',
  'page_down',
  'first',
  'last',
  'fold',
  'left',
  'right',
  'filter',
  'raw',
)

test('whatever is in it and whatever is pressed, no row leaves the box', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 30 }),
      fc.array(anyKey, { maxLength: 12 }),
      fc.record({ columns: fc.integer({ min: 3, max: 120 }), rows: fc.integer({ min: 3, max: 30 }) }),
      (events, keys, size) => {
        const state = press(logOf(events), keys, size)
        const [box] = viewLog(state, rectOf(size), LOG_LOOK)
        const rows = box?.body.kind === 'rows' ? box.body.rows : []
        expect(rows.length).toBeLessThanOrEqual(Math.max(size.rows - 2, 3))
        for (const { line } of rows) {
          const text = renderLine(line, paintNothing)
          expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]|\p{Surrogate}/u)
          expect(widthOf(text)).toBeLessThanOrEqual(size.columns - 2)
          expect(text.length).toBeLessThan(size.columns * 70)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('small sizes draw something', () => {
  const state = logOf([words('Hello there.')])
  for (const size of [
    { columns: 20, rows: 5 },
    { columns: 4, rows: 3 },
    { columns: 2, rows: 2 },
    { columns: 1, rows: 1 },
  ]) {
    expect(viewLog(state, rectOf(size), LOG_LOOK)).toHaveLength(1)
  }
  expect(drawLog(state, { columns: 20, rows: 5 })[1]).toBe('┃ Hello there.     ┃')
})

describe('a line without end', () => {
  const endless = 'x'.repeat(262_144)

  test('is drawn and scrolled through, folded or not', () => {
    for (const text of [endless, 'é'.repeat(262_144), 'a\u0301'.repeat(131_072), '👩‍👩‍👧'.repeat(30_000)]) {
      const state = logOf([call('1', text), result('1', text), words(text)])
      expect(drawLog(press(state, ['up', 'page_up'], SIZE), SIZE)).toHaveLength(SIZE.rows)
      const unfolded = press(state, ['first', 'fold', 'page_down'], SIZE)
      expect(drawLog(unfolded, SIZE)).toHaveLength(SIZE.rows)
    }
  })

  test('can be gone through to its end', () => {
    const state = logOf([words(`${endless}end`)])
    expect(drawLog(state, SIZE).join('\n')).toContain('xend')
    expect(drawLog(press(state, ['page_up', 'page_up', 'page_down', 'last'], SIZE), SIZE)).toEqual(
      drawLog(state, SIZE),
    )
  })
})
