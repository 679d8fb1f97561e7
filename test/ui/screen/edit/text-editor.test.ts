import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  editedText,
  openTextEditor,
  replaceText,
  type TextEditor,
} from '../../../../src/ui/screen/edit/text-editor.ts'
import { clickInEditor, typeInEditor } from '../../../../src/ui/screen/edit/type-in-editor.ts'
import { viewEditor } from '../../../../src/ui/screen/edit/view-editor.ts'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import { widthOf } from '../../../../src/ui/text/width.ts'
import { textOf } from '../../../support/dashboard/drawing.ts'
import { after, key, keys, paste, typing } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 20, rows: 4 }

const typed = (editor: TextEditor, ...events: readonly InputEvent[]): TextEditor =>
  after(editor, events, (now, event) => typeInEditor(now, event, SIZE))

const written = (text: string): TextEditor => typed(openTextEditor(), ...typing(text))

/** The whole text with the cursor as a bar. */
const shown = ({ lines, cursor }: TextEditor): string =>
  lines
    .map((line, at) =>
      at === cursor.line ? `${line.slice(0, cursor.offset)}|${line.slice(cursor.offset)}` : line,
    )
    .join('\n')

/** The rows in view with the cursor's cell replaced by a bar. */
function drawn(editor: TextEditor, size = SIZE): string[] {
  const { lines, cursor } = viewEditor(editor, size, { ascii: false })
  return lines.map((line, y) => {
    const text = textOf(line).padEnd(cursor.x + 1)
    return (y === cursor.y ? `${text.slice(0, cursor.x)}|${text.slice(cursor.x + 1)}` : text).trimEnd()
  })
}

test('Enter breaks the line, and Backspace joins it again', () => {
  const editor = written('one\ntwo')
  expect(shown(editor)).toBe('one\ntwo|')
  expect(shown(typed(editor, ...keys('home', 'backspace')))).toBe('one|two')
})

test.each([
  ['left', 'one|\ntwo'],
  ['ctrl+left', 'one|\ntwo'],
  ['ctrl+w', 'one|two'],
  ['up', '|one\ntwo'],
])('at the start of a line: %s', (chord, expected) => {
  expect(shown(typed(written('one\ntwo'), ...keys('home', chord)))).toBe(expected)
})

test.each([
  ['right', 'one\n|two'],
  ['delete', 'one|two'],
  ['ctrl+k', 'one|two'],
  ['alt+d', 'one|two'],
  ['down', 'one\ntwo|'],
])('at the end of a line: %s', (chord, expected) => {
  expect(shown(typed(written('one\ntwo'), ...keys('up', 'end', chord)))).toBe(expected)
})

test('moving up and down keeps the column through shorter lines, in cells', () => {
  const editor = written('abcdefgh\nxy\n漢字漢字')
  expect(shown(typed(editor, key('up')))).toBe('abcdefgh\nxy|\n漢字漢字')
  expect(shown(typed(editor, ...keys('up', 'up')))).toBe('abcdefgh|\nxy\n漢字漢字')
  expect(shown(typed(editor, ...keys('left', 'up', 'up', 'down', 'down')))).toBe('abcdefgh\nxy\n漢字漢|字')
})

test('long lines wrap between words', () => {
  expect(drawn(written('the quick brown fox jumps over'))).toEqual(['the quick brown fox', 'jumps over|'])
})

test('moves go by rows of the screen', () => {
  const editor = typed(written('the quick brown fox jumps over'), key('up'))
  expect(drawn(editor)).toEqual(['the quick |rown fox', 'jumps over'])
  expect(shown(typed(editor, key('up')))).toBe('|the quick brown fox jumps over')
})

test('a word that is too long is broken where the row ends', () => {
  expect(drawn(written('x'.repeat(25)))).toEqual(['x'.repeat(19), 'xxxxxx|'])
})

test('wide characters are never cut', () => {
  const { lines, cursor } = viewEditor(written('漢'.repeat(12)), SIZE, { ascii: false })
  expect([lines.map(textOf), cursor]).toEqual([['漢'.repeat(9), '漢'.repeat(3)], { x: 6, y: 1 }])
})

test('tabs are shown, and go to the next stop', () => {
  expect(drawn(typed(openTextEditor(), paste('a\tb\t\tc')))).toEqual(['a→  b→  →   c|'])
})

test('the view follows the cursor, and fills its rows', () => {
  const editor = written('1\n2\n3\n4\n5\n6')
  expect(drawn(editor)).toEqual(['3', '4', '5', '6|'])
  const up = typed(editor, ...keys('up', 'up', 'up', 'up'))
  expect(drawn(up)).toEqual(['2|', '3', '4', '5'])
  expect(drawn(up, { columns: 20, rows: 6 })).toEqual(['1', '2|', '3', '4', '5', '6'])
})

test('pages', () => {
  const editor = written(Array.from({ length: 9 }, (_, at) => `${at}`).join('\n'))
  expect(editor.cursor.line).toBe(8)
  expect(typed(editor, key('page_up')).cursor.line).toBe(5)
  expect(typed(editor, ...keys('page_up', 'page_up', 'page_up')).cursor.line).toBe(0)
  expect(typed(editor, ...keys('ctrl+home', 'page_down')).cursor.line).toBe(3)
  expect(shown(typed(written('a\nb'), ...keys('ctrl+home', 'ctrl+end')))).toBe('a\nb|')
})

test('undo goes back by words, and redo forward', () => {
  const editor = written('one two')
  const undone = typed(editor, key('alt+z'))
  expect(shown(undone)).toBe('one|')
  expect(shown(typed(undone, key('ctrl+_')))).toBe('|')
  expect(shown(typed(undone, key('alt+Z')))).toBe('one two|')
  expect(shown(typed(undone, ...keys('!', 'alt+Z')))).toBe('one!|')
})

test('undo of a paste, of a kill and of a joined line', () => {
  expect(shown(typed(written('a'), paste('b\nc'), key('alt+z')))).toBe('a|')
  expect(shown(typed(written('a b'), ...keys('ctrl+u', 'alt+z')))).toBe('a b|')
  expect(shown(typed(written('a\nb'), ...keys('home', 'backspace', 'alt+z')))).toBe('a\n|b')
})

test('a click sets the cursor', () => {
  const editor = written('the quick brown fox jumps over\nend')
  expect(shown(clickInEditor(editor, { x: 3, y: 1 }, SIZE))).toBe('the quick brown fox jum|ps over\nend')
  expect(shown(clickInEditor(editor, { x: 30, y: 9 }, SIZE))).toBe('the quick brown fox jumps over\nend|')
  expect(drawn(clickInEditor(editor, { x: 30, y: 0 }, SIZE))[0]).toBe('the quick brown fox|')
})

test('replacing the whole text can be undone', () => {
  const editor = replaceText(written('mine'), 'from the editor\r\nof mine')
  expect(shown(editor)).toBe('from the editor\nof mine|')
  expect(shown(typed(editor, key('alt+z')))).toBe('mine|')
})

test('Esc, Tab and Ctrl-Z are left to others', () => {
  for (const chord of ['escape', 'tab', 'shift+tab', 'ctrl+z', 'ctrl+s'])
    expect(typeInEditor(openTextEditor('x'), key(chord), SIZE)).toBeNull()
})

test.each([
  ['lines', 'a line of a prompt, of some length\n'.repeat(30_000)],
  ['one line', 'word '.repeat(200_000)],
  ['one line of wide characters', '漢字 '.repeat(120_000)],
  ['line breaks alone', '\n'.repeat(1_000_000)],
])('a megabyte of %s is pasted and typed into', (_, text) => {
  let editor = typed(openTextEditor(), paste(text))
  for (const event of keys('x', 'y', 'left', 'up', 'backspace', 'page_up', 'z', 'alt+z', 'end', 'enter')) {
    editor = typed(editor, event)
    const { lines, cursor } = viewEditor(editor, SIZE, { ascii: false })
    expect(lines[cursor?.y ?? -1]).toBeDefined()
  }
})

const CHORDS =
  'left right up down home end page_up page_down backspace delete enter ctrl+left ctrl+right ctrl+w ctrl+k ctrl+u ctrl+y alt+d alt+z alt+Z ctrl+home'.split(
    ' ',
  )
const PIECES = ['a', ' ', 'é', '\u0301', '漢', '👩‍👩‍👧', '🇩🇪', '\u200d', '\u202e', '\t', '\n', 'a long word ']
const events = fc.array(
  fc.oneof(
    fc.constantFrom(...CHORDS).map(key),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((parts) => paste(parts.join(''))),
  ),
  { maxLength: 40 },
)

test('any keys leave the cursor between two characters and in view, and every row within its width', () => {
  fc.assert(
    fc.property(
      events,
      fc.integer({ min: 3, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      (sequence, columns, rows) => {
        const size = { columns, rows }
        let editor = openTextEditor()
        for (const event of sequence) {
          editor = typeInEditor(editor, event, size) ?? editor
          const line = editor.lines[editor.cursor.line] ?? ''
          const ends = [0]
          for (const { segment } of new Intl.Segmenter().segment(line))
            ends.push((ends.at(-1) ?? 0) + segment.length)
          expect(ends).toContain(editor.cursor.offset)
          const { lines, cursor } = viewEditor(editor, size, { ascii: false })
          expect(lines.length).toBeLessThanOrEqual(rows)
          expect(cursor.y).toBeLessThan(lines.length)
          for (const one of lines) if (columns > 8) expect(widthOf(textOf(one))).toBeLessThanOrEqual(columns)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('undoing everything gives the text that was there first, and redoing everything the last one', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const edits = sequence.filter((event) => event.kind === 'paste' || !/^[zZ]$/.test(event.name))
      const last = typed(openTextEditor('start'), ...edits)
      const undone = typed(last, ...Array.from({ length: 80 }, () => key('alt+z')))
      expect(editedText(undone)).toBe('start')
      expect(editedText(typed(undone, ...Array.from({ length: 80 }, () => key('alt+Z'))))).toBe(
        editedText(last),
      )
    }),
  )
})
