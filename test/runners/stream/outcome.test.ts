// The verdict on a run, from every way in which a process can end.

import { expect, test } from 'vitest'
import type { RunEnd } from '../../../src/core/model/runner.ts'
import { deriveOutcome } from '../../../src/runners/stream/outcome.ts'

const usage = { cost_usd: null, input_tokens: null, output_tokens: null, turns: null, denied_tools: [] }
const good = { ok: true, summary: 'Done', usage }
const bad = { ok: false, summary: 'No credit', usage }

const verdict = (end: Partial<RunEnd>): string => {
  const full: RunEnd = {
    exit_code: null,
    exit_signal: null,
    asked: 'nothing',
    result: null,
    last_error: null,
    ...end,
  }
  const { status, exit_reason: reason, failure } = deriveOutcome(full)
  return `${status} ${reason}${failure === null ? '' : `: ${failure}`}`
}

test.each<[string, Partial<RunEnd>, string]>([
  ['exit 0 without a verdict of its own', { exit_code: 0 }, 'finished exited'],
  ['exit 0 and content', { exit_code: 0, result: good }, 'finished exited'],
  [
    'exit 0 after errors that it got over',
    { exit_code: 0, result: good, last_error: 'retry' },
    'finished exited',
  ],
  ['exit 0 and an error of its own', { exit_code: 0, result: bad }, 'failed exited: No credit'],
  [
    'an error without words',
    { exit_code: 0, result: { ...bad, summary: '' } },
    'failed exited: it reported an error',
  ],
  ['exit 1 with its reason', { exit_code: 1, result: bad }, 'failed exited: No credit'],
  ['exit 1 though content', { exit_code: 1, result: good }, 'failed exited: it exited with 1'],
  [
    'exit 1 with an error on the way',
    { exit_code: 1, last_error: 'no network' },
    'failed exited: no network',
  ],
  ['exit 3 of a script', { exit_code: 3 }, 'failed exited: it exited with 3'],
  ['a crash', { exit_signal: 'SIGSEGV' }, 'failed exited: it was ended by SIGSEGV'],
  ['a kill from elsewhere', { exit_signal: 'SIGKILL' }, 'failed exited: it was ended by SIGKILL'],
  ['nothing known', {}, 'failed unknown: nobody saw how it ended'],
  ['stopped, claude', { asked: 'stop', exit_code: 0, result: bad }, 'finished stopped'],
  ['stopped, codex', { asked: 'stop', exit_code: 1 }, 'finished stopped'],
  ['stopped, a program without a handler', { asked: 'stop', exit_signal: 'SIGINT' }, 'finished stopped'],
  ['stopped, a shell', { asked: 'stop', exit_code: 130 }, 'finished stopped'],
  [
    'stopped by force',
    { asked: 'stop', exit_signal: 'SIGTERM' },
    'failed stopped: it did not end when asked to, and was ended by SIGTERM',
  ],
  [
    'stopped by force, claude',
    { asked: 'stop', exit_code: 143 },
    'failed stopped: it did not end when asked to, and was ended by SIGTERM',
  ],
  ['stopped, and nobody saw the end', { asked: 'stop' }, 'failed unknown: nobody saw how it ended'],
  ['killed', { asked: 'kill', exit_signal: 'SIGKILL' }, 'failed killed: it was killed'],
  ['killed, its child first', { asked: 'kill', exit_code: 137 }, 'failed killed: it was killed'],
  ['done just before the kill', { asked: 'kill', exit_code: 0, result: good }, 'finished exited'],
])('%s', (_, end, expected) => {
  expect(verdict(end)).toBe(expected)
})
