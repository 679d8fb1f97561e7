import { describe, expect, test } from 'vitest'
import { endLog, failLog } from '../../../../src/ui/screen/log/end-log.ts'
import { openLog } from '../../../../src/ui/screen/log/log-state.ts'
import { span } from '../../../../src/ui/text/line.ts'
import {
  append,
  at,
  call,
  drawLog,
  LOG_FACTS,
  logOf,
  press,
  prompt,
  result,
  rowsOfLog,
  words,
} from '../../../support/dashboard/log-screen.ts'
import { FINISHED, invocationRecord, usageOf } from '../../../support/records/records.ts'
import { replay } from '../../../support/runners/replay.ts'

const SMALL = { columns: 44, rows: 14 }
const WIDE = { columns: 80, rows: 16 }

const numbered = (amount: number): string =>
  Array.from({ length: amount }, (_, line) => `line ${line + 1}`).join('\n')

describe('a transcript', () => {
  test('is read from the prompt to the verdict', () => {
    const log = logOf([
      { at: at(3), kind: 'session', session_id: 'bc3c62ff', model: 'opus' },
      prompt('Make the tests pass, and tell me what was wrong with them.\n- only in src'),
      { at: at(3), kind: 'reasoning', text: 'I should look first.' },
      call('1', 'npm test'),
      result('1', numbered(12)),
      words('One test was wrong.'),
      { at: at(6), kind: 'result', ok: true, summary: 'Done', usage: usageOf() },
    ])
    expect(drawLog(log, { columns: 80, rows: 22 })).toEqual([
      '┏ b7c9 claude · my-feature · log ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ following ┓',
      '┃ session bc3c62ff, opus                                                 12:03 ┃',
      '┃                                                                              ┃',
      '┃ ▌ Make the tests pass, and tell me what was wrong with them.                 ┃',
      '┃ ▌ - only in src                                                              ┃',
      '┃                                                                              ┃',
      '┃ I should look first.                                                         ┃',
      '┃                                                                              ┃',
      '┃ ● Bash  npm test                                                       12:04 ┃',
      '┃   │ line 1                                                                   ┃',
      '┃   │ line 2                                                                   ┃',
      '┃   │ line 3                                                                   ┃',
      '┃   │ line 4                                                                   ┃',
      '┃   … 8 more lines  enter                                                      ┃',
      '┃                                                                              ┃',
      '┃ One test was wrong.                                                    12:05 ┃',
      '┃                                                                              ┃',
      '┃ ✓ done  3 turns, 12k in, 900 out, $0.31                                12:06 ┃',
      '┃                                                                              ┃',
      '┃                                                                              ┃',
      '┃                                                                              ┃',
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
    ])
  })

  test('joins a call to its result, however far apart they are', () => {
    const log = logOf([call('1', 'sleep 9'), call('2', 'ls'), words('Meanwhile.')])
    expect(
      drawLog(append(log, [result('2', 'src'), result('1', 'no', 'failed')]), SMALL).slice(1, 9),
    ).toEqual([
      '┃ ● Bash  sleep 9                          ┃',
      '┃   ✗ failed (exit 3)                      ┃',
      '┃   │ no                                   ┃',
      '┃ ● Bash  ls                               ┃',
      '┃   │ src                                  ┃',
      '┃                                          ┃',
      '┃ Meanwhile.                               ┃',
      '┃                                          ┃',
    ])
  })

  test('says what was refused, in red and whole', () => {
    const log = logOf([prompt('Write it'), ...replay('claude-write-default')])
    expect(drawLog(log, { columns: 60, rows: 24 }).slice(10, 14)).toEqual([
      '┃ ● Write  /sandbox/wt/hello.txt                           ┃',
      '┃   ✗ DENIED                                               ┃',
      '┃   │ Claude requested permissions to write to             ┃',
      "┃   │ /sandbox/wt/hello.txt, but you haven't granted it    ┃",
    ])
    const lines = rowsOfLog(log, { columns: 60, rows: 24 }).map(({ line }) => line)
    expect(JSON.stringify(lines)).toContain(JSON.stringify(span('DENIED', 'failed')))
    expect(JSON.stringify(lines)).toContain(JSON.stringify(span('● ', 'failed')))
  })

  test('of codex shows its notices and its words', () => {
    expect(drawLog(logOf(replay('codex-edit-ww')), { columns: 60, rows: 16 }).slice(1, 15)).toEqual([
      '┃ Model metadata for `mock-model` not found. Defaulting to ┃',
      '┃ fallback metadata; this can degrade performance and      ┃',
      '┃ cause issues.                                            ┃',
      '┃                                                          ┃',
      "┃ ● shell  /bin/bash -lc 'cat README.md'                   ┃",
      '┃   │ seed                                                 ┃',
      '┃                                                          ┃',
      '┃ Editing.                                                 ┃',
      '┃                                                          ┃',
      '┃ ● edit  update /sandbox/wt/README.md                     ┃',
      '┃                                                          ┃',
      '┃ Edited.                                                  ┃',
      '┃                                                          ┃',
      '┃ ✓ done  300 in, 60 out                                   ┃',
    ])
  })

  test('notes each retry and what failed in the end', () => {
    const drawn = drawLog(logOf(replay('claude-err500-retries2')), { columns: 76, rows: 12 }).join('\n')
    expect(drawn).toContain('retrying: API error 500')
    expect(drawn).toContain('✗ failed')
  })

  test('is of ASCII where the terminal has nothing else', () => {
    const log = logOf([prompt('Do it'), call('1', 'ls'), result('1', 'no', 'denied')])
    expect(drawLog(log, SMALL, { ascii: true }).slice(1, 6)).toEqual([
      '┃ > Do it                                  ┃',
      '┃                                          ┃',
      '┃ * Bash  ls                               ┃',
      '┃   x DENIED                               ┃',
      '┃   | no                                   ┃',
    ])
  })
})

describe('folding', () => {
  const log = logOf([call('1', 'npm test\n# a\n# b\n# c'), result('1', numbered(9)), words('Done.')])

  test('enter shows the whole and folds it again', () => {
    const unfolded = press(log, ['fold'], { columns: 44, rows: 20 })
    expect(drawLog(unfolded, { columns: 44, rows: 20 }).slice(0, 18)).toEqual([
      '┏ b7c9 claude · my-f… · log ━ 12:04 · 100% ┓',
      '> ● Bash  npm test                         ┃',
      '┃   # a                                    ┃',
      '┃   # b                                    ┃',
      '┃   # c                                    ┃',
      ...Array.from({ length: 9 }, (_, line) => `┃   │ line ${line + 1}                               ┃`),
      '┃                                          ┃',
      '┃ Done.                                    ┃',
      '┃                                          ┃',
      '┃                                          ┃',
    ])
    const folded = press(unfolded, ['fold'], { columns: 44, rows: 20 })
    expect(drawLog(folded, { columns: 44, rows: 20 }).join('\n')).toContain('… 5 more lines  enter')
  })

  test('left folds and right unfolds, and neither does more', () => {
    const unfolded = press(log, ['right', 'right'], WIDE)
    expect(drawLog(unfolded, WIDE).join('\n')).toContain('line 9')
    expect(drawLog(press(unfolded, ['left', 'left'], WIDE), WIDE).join('\n')).not.toContain('line 9')
  })
})

describe('without anything to show', () => {
  test('says so, and what the agent is doing', () => {
    expect(drawLog(openLog(LOG_FACTS), SMALL)[1]).toBe('┃ reading the log …                        ┃')
    expect(drawLog(logOf([], { display: 'starting' }), SMALL).slice(1, 3)).toEqual([
      '┃ nothing has been written yet             ┃',
      '┃ claude: starting                         ┃',
    ])
  })

  test('says what a filter hides', () => {
    const log = press(logOf([words('Hello.')]), ['filter', 'filter'], SMALL)
    expect(drawLog(log, SMALL)).toEqual([
      '┏ b7c9 claude ·… · log ━ tools · following ┓',
      '┃ there is nothing for the filter "tools"  ┃',
      '┃ f shows more                             ┃',
      ...Array.from({ length: 10 }, () => '┃                                          ┃'),
      '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
    ])
  })

  test('says what failed and what to press', () => {
    const failed = failLog(openLog(LOG_FACTS), {
      message: 'the log cannot be read: EACCES',
      hint: 'check its mode',
    })
    expect(drawLog(failed, SMALL).slice(1, 4)).toEqual([
      '┃ the log cannot be read: EACCES           ┃',
      '┃ check its mode                           ┃',
      '┃ v shows the raw lines, Esc goes back     ┃',
    ])
  })
})

test('the end says how it ended and what would let it write', () => {
  const record = invocationRecord({ ...FINISHED, usage: usageOf({ denied_tools: ['Write'] }) })
  const log = endLog(logOf([words('Done.')]), { record, changedFiles: 0 })
  expect(drawLog(log, { columns: 60, rows: 9 })).toEqual([
    '┏ b7c9 claude · my-feature · log ━━━━━━━━━━━━━━━━━━━━━ end ┓',
    '┃ Done.                                                    ┃',
    '┃                                                          ┃',
    '┃ finished                                                 ┃',
    '┃ 1 tool call was DENIED (Write), and it changed nothing   ┃',
    '┃ to let it write, start it again with: --runner-arg       ┃',
    '┃ --permission-mode --runner-arg acceptEdits               ┃',
    '┃                                                          ┃',
    '┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛',
  ])
  const killed = invocationRecord({ status: 'failed', exit_reason: 'killed', exit_signal: 'SIGKILL' })
  expect(drawLog(endLog(logOf([]), { record: killed, changedFiles: null }), SMALL)[1]).toBe(
    '┃ failed (SIGKILL)                         ┃',
  )
})

test('the filters show words, tools or problems', () => {
  const log = logOf([
    prompt('Go'),
    call('1', 'ls'),
    result('1', 'src'),
    call('2', 'rm'),
    result('2', 'no', 'denied'),
    { at: at(5), kind: 'error', message: 'overloaded', retrying: true },
    words('Done.'),
  ])
  const seen = (presses: number): string[] =>
    drawLog(press(log, Array(presses).fill('filter'), SMALL), SMALL)
      .slice(1, -1)
      .map((row) => row.slice(2, -1).trim())
      .filter((row) => row !== '')
  expect(seen(1)).toEqual(['▌ Go', 'Done.'])
  expect(seen(2)).toEqual(['● Bash  ls', '│ src', '● Bash  rm', '✗ DENIED', '│ no'])
  expect(seen(3)).toEqual(['● Bash  rm', '✗ DENIED', '│ no', 'retrying: overloaded'])
  expect(seen(4)).toHaveLength(8)
})

test('the raw lines are shown as they are, and the transcript keeps its place', () => {
  const log = logOf(Array.from({ length: 30 }, (_, line) => words(`Word ${line}`)))
  const raw = append(
    press(log, ['first', 'raw'], SMALL),
    ['{"a":1}\u0007', '\u001b[1m\u001b]52;c;aGk='],
    'raw',
  )
  expect(drawLog(raw, SMALL).slice(0, 3)).toEqual([
    '┏ b7c9 claude · my-… · raw log ━ following ┓',
    '┃ {"a":1}\\x07                              ┃',
    '┃ \\x1b[1m\\x1b]52;c;aGk=                    ┃',
  ])
  expect(drawLog(press(raw, ['raw'], SMALL), SMALL)[1]).toContain('Word 0')
})
