import { expect, test } from 'vitest'
import {
  openPromptLine,
  typeInPromptLine,
  viewPromptLine,
} from '../../../../src/ui/screen/overlays/prompt-line.ts'
import { span } from '../../../../src/ui/text/line.ts'
import { drawBoxes } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { after, key, typing } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 40, rows: 2 }
const rect = { x: 0, y: 1, width: 40, height: 1 }

test('the text is live, stands at the footer, and has a note at its right', () => {
  const state = after(
    openPromptLine('search'),
    typing('parse'),
    (now, event) => typeInPromptLine(now, event).state,
  )
  expect(state.field.text).toBe('parse')
  const { boxes, cursor } = viewPromptLine(state, { rect, note: '3 of 17' }, LOOK)
  expect(drawBoxes(boxes, SIZE)).toEqual(['', ' search parse                   3 of 17'])
  expect(cursor).toEqual({ x: 13, y: 1 })
})

test('a note gives way to the text', () => {
  const { boxes } = viewPromptLine(
    openPromptLine('name', { placeholder: 'a new name' }),
    { rect: { ...rect, width: 20 }, note: span('too long by far', 'failed') },
    LOOK,
  )
  expect(drawBoxes(boxes, SIZE)).toEqual(['', ' name a new name'])
})

test('Enter gives the text; Esc, and Backspace in an empty line, cancel', () => {
  const state = openPromptLine('name', { text: 'old' })
  expect(typeInPromptLine(state, key('enter')).outcome).toEqual({ kind: 'submitted', value: 'old' })
  expect(typeInPromptLine(state, key('escape')).outcome.kind).toBe('cancelled')
  expect(typeInPromptLine(state, key('backspace')).outcome.kind).toBe('open')
  expect(typeInPromptLine(openPromptLine('filter'), key('backspace')).outcome.kind).toBe('cancelled')
})
