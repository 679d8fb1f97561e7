import { expect, test } from 'vitest'
import type { StreamEvent } from '../../../src/core/model/stream-event.ts'
import { formatEvent } from '../../../src/ui/text/format-event.ts'
import { renderLine } from '../../../src/ui/text/line.ts'
import { formatPatch } from '../../../src/ui/text/patch.ts'
import { paintNothing } from '../../../src/ui/text/theme.ts'
import { usageOf } from '../../support/records/records.ts'

const at = '2026-01-28T12:05:00.000Z'
const read = (event: StreamEvent): string[] =>
  formatEvent(event).map((line) => renderLine(line, paintNothing))

test('a prompt stands apart from what the agent says', () => {
  expect(read({ at, kind: 'prompt', text: 'Fix it\nplease' })).toEqual(['> Fix it', '  please'])
  expect(read({ at, kind: 'text', text: 'Done.\n' })).toEqual(['Done.'])
})

test('a tool call is one line, its long output is folded', () => {
  expect(read({ at, kind: 'tool_call', call_id: '1', tool: 'Bash', input: 'npm test' })).toEqual([
    '● Bash npm test',
  ])
  const output = Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n')
  expect(read({ at, kind: 'tool_result', call_id: '1', output, outcome: 'ok', exit_code: 0 })).toEqual([
    '  │ line 0',
    '  │ line 1',
    '  │ line 2',
    '  │ line 3',
    '  │ … 8 more lines',
  ])
})

test('what was refused or failed is said loudly', () => {
  const result = { at, kind: 'tool_result', call_id: '1', output: 'no', exit_code: 2 } as const
  expect(read({ ...result, outcome: 'denied' })).toEqual(['  ✗ DENIED', '  │ no'])
  expect(read({ ...result, outcome: 'failed' })).toEqual(['  ✗ failed (exit 2)', '  │ no'])
})

test('the verdict carries what the run cost', () => {
  expect(read({ at, kind: 'result', ok: true, summary: 'Fixed', usage: usageOf() })).toEqual([
    '✓ done (3 turns, 12k in, 900 out, $0.31)',
  ])
  expect(
    read({ at, kind: 'result', ok: false, summary: 'API error', usage: usageOf({ turns: null }) }),
  ).toEqual(['✗ failed (12k in, 900 out, $0.31)', '  API error'])
})

test('colours of a tool are dropped, every other escape is shown', () => {
  expect(
    read({ at, kind: 'output', stream: 'stdout', text: '\x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07' }),
  ).toEqual(['red \\x1b]52;c;aGk=\\x07'])
})

test('a patch keeps every line, made safe', () => {
  expect(
    formatPatch('@@ -1 +1 @@\n-a\n+\x1b[2J\n c\n').map((line) => renderLine(line, paintNothing)),
  ).toEqual(['@@ -1 +1 @@', '-a', '+\\x1b[2J', ' c'])
})
