import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamEvent } from '../../../../src/core/model/stream-event.ts'
import { totalHits } from '../../../../src/ui/screen/log/hits.ts'
import { type LogState, shownScript } from '../../../../src/ui/screen/log/log-state.ts'
import { acceptSearch, isSearching, searchLog, searchOn } from '../../../../src/ui/screen/log/search-log.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { plainText } from '../../../../src/ui/text/spans.ts'
import {
  append,
  call,
  drawLog,
  logOf,
  press,
  prompt,
  result,
  rowsOfLog,
  words,
} from '../../../support/dashboard/log-screen.ts'

const SIZE = { columns: 60, rows: 8 }

const note = (state: LogState): string => /━ ([^━]*) ┓$/.exec(drawLog(state, SIZE)[0] ?? '')?.[1] ?? ''
const cursorRow = (state: LogState): string | undefined =>
  drawLog(state, SIZE)
    .find((row) => row.startsWith('>'))
    ?.slice(1, -1)
    .trim()
const typed = (state: LogState, text: string, size: Size = SIZE): LogState => {
  let searched = press(state, ['search'], size)
  for (let end = 1; end <= text.length; end += 1) searched = searchLog(searched, text.slice(0, end), size)
  while (isSearching(searched)) searched = searchOn(searched, size)
  return searched
}
const found = (state: LogState): string[] =>
  rowsOfLog(state, SIZE).flatMap(({ line }) =>
    [line]
      .flat()
      .flatMap((part) =>
        typeof part === 'object' && 'as' in part && part.as === 'match' ? [part.text] : [],
      ),
  )

const lines = Array.from({ length: 40 }, (_, at) => (at % 10 === 3 ? `needle ${at} needle` : `hay ${at}`))

describe('a search', () => {
  test('shows the first match as it is typed', () => {
    const state = typed(press(logOf(lines), ['first'], SIZE), 'need')
    expect(cursorRow(state)).toBe('needle 3 needle')
    expect(found(state)).toEqual(['need', 'need'])
    expect(note(state)).toContain('/need 1/8')
  })

  test('heeds capital letters where it has any', () => {
    const state = logOf(['Needle', 'needle', 'NEEDLE'])
    expect(note(typed(state, 'needle'))).toContain('/3')
    expect(note(typed(state, 'Needle'))).toContain('1/1')
  })

  test('goes around the ends', () => {
    const state = acceptSearch(typed(press(logOf(lines), ['first'], SIZE), 'needle'))
    expect(note(press(state, ['next_match', 'next_match'], SIZE))).toContain('3/8')
    expect(cursorRow(press(state, ['next_match', 'next_match'], SIZE))).toBe('needle 13 needle')
    expect(note(press(state, ['previous_match'], SIZE))).toContain('8/8')
    expect(note(press(state, Array(8).fill('next_match'), SIZE))).toContain('1/8')
  })

  test('begins where one is, and from the end at the top again', () => {
    expect(cursorRow(typed(logOf(lines), 'needle 1'))).toBe('needle 13 needle')
  })

  test('that is given up leaves everything as it was', () => {
    const state = logOf(lines)
    expect(press(typed(state, 'needle'), ['leave'], SIZE).scripts).toEqual(state.scripts)
    const kept = acceptSearch(typed(state, 'needle'))
    const left = press(kept, ['leave'], SIZE)
    expect(left.search).toBeNull()
    expect(left.scripts).toEqual(kept.scripts)
    expect(press(left, ['leave'], SIZE)).toBe(left)
  })

  test('finds what is folded away and unfolds it', () => {
    const output = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')
    const state = logOf([prompt('Go'), call('1', 'cat'), result('1', output), words('Done.')])
    expect(cursorRow(typed(state, 'line 2'))).toBe('│ line 2')
    expect(cursorRow(typed(state, 'line 25'))).toBe('│ line 25')
    expect(note(typed(state, 'line 2'))).toContain('1/11')
  })

  test('finds what an ellipsis hides', () => {
    const state = logOf([call('1', `echo ${'x '.repeat(60)}needle`)])
    expect(found(typed(state, 'needle'))).toEqual(['needle'])
  })

  test('says when there is nothing', () => {
    expect(note(typed(logOf(lines), 'nothing'))).toContain('/nothing none')
  })

  test('goes on in what is appended, and in results that come late', () => {
    const state = acceptSearch(typed(logOf([...lines, call('1', 'ls')]), 'needle'))
    expect(note(append(state, ['a needle']))).toContain('/9')
    expect(note(append(state, [result('1', 'needle\nneedle')]))).toContain('/10')
  })

  test('is over what the filter shows', () => {
    const state = logOf([prompt('needle'), call('1', 'needle'), words('needle')])
    expect(note(typed(state, 'needle'))).toContain('/3')
    expect(note(press(acceptSearch(typed(state, 'needle')), ['filter'], SIZE))).toContain('/2')
  })

  test('takes its text as it is', () => {
    expect(note(typed(logOf(['a.b', 'axb', '(a.b)*']), 'a.b'))).toContain('/2')
    expect(note(typed(logOf(['[x]-/{1}\\']), '[x]-/{1}\\'))).toContain('1/1')
  })
})

const anyWord = fc.constantFrom('ab', 'AB', 'a', 'b', ' ', 'ba', '漢', 'é', '\n', '\t', '\x07', '👩‍👩‍👧')
const anyText = fc.array(anyWord, { maxLength: 30 }).map((parts) => parts.join(''))
const at = '2026-01-28T12:05:00.000Z'
const anyEvents = fc
  .array(
    fc.record({
      id: fc.constantFrom('1', '2'),
      text: anyText,
      sort: fc.constantFrom('text', 'call', 'result', 'stderr'),
    }),
    { maxLength: 12 },
  )
  .map((said) =>
    said.map(({ id, text, sort }): StreamEvent => {
      if (sort === 'call') return { at, kind: 'tool_call', call_id: id, tool: 'T', input: text }
      if (sort === 'result')
        return { at, kind: 'tool_result', call_id: id, output: text, outcome: 'ok', exit_code: null }
      return sort === 'text' ? { at, kind: 'text', text } : { at, kind: 'output', stream: 'stderr', text }
    }),
  )

/** All rows of a log whose blocks are unfolded, on a screen so wide that nothing is broken into rows. */
function allRows(state: LogState): string[] {
  const script = shownScript(state)
  if (script.blocks.length === 0) return []
  const unfolded = new Set(script.blocks.map((_, index) => script.first + index))
  const open = { ...state, scripts: { ...state.scripts, readable: { ...script, unfolded } } }
  return rowsOfLog(open, { columns: 5000, rows: 2000 }).map(({ line }) =>
    plainText([line].flat()).replace(/ {2,}\d\d:\d\d$/, ''),
  )
}

test('finds every match that a reader of the whole log would', () => {
  fc.assert(
    fc.property(anyEvents, fc.constantFrom('a', 'ab', 'aba', 'b a', '漢', 'é', '\\x'), (events, needle) => {
      const state = logOf(events)
      const naive = allRows(state).reduce((sum, row) => sum + row.toLowerCase().split(needle).length - 1, 0)
      const searched = typed(state, needle)
      expect(searched.search === null ? 0 : totalHits(searched.search.hits)).toBe(naive)
      for (let step = 0; step < Math.min(naive, 5); step += 1) {
        expect(found(press(searched, Array(step).fill('next_match'), SIZE)).length).toBeGreaterThan(0)
      }
    }),
  )
})

test('a match across the pieces of an endless line is found and shown', () => {
  const line = `${'x'.repeat(1995)}needle-that-lies-across${'y'.repeat(3000)}`
  const state = typed(logOf([words(line)]), 'needle-that-lies-across')
  expect(note(state)).toContain('1/1')
  expect(found(state).join('')).toBe('needle-that-lies-across')
})
