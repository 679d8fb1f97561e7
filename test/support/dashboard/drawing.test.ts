import { describe, expect, test } from 'vitest'
import type { SceneBox } from '../../../src/ui/screen/scene.ts'
import { span } from '../../../src/ui/text/line.ts'
import { drawBoxes } from './drawing.ts'

const box = (rest: Partial<SceneBox>): SceneBox => ({
  key: 'box',
  rect: { x: 0, y: 0, width: 20, height: 4 },
  border: { title: 'Title', focused: false },
  body: { kind: 'rows', rows: [] },
  ...rest,
})

describe('a drawing of boxes', () => {
  test('shows borders, titles, notes, bars and text', () => {
    const first = box({
      border: { title: [span('Title', 'strong')], note: 'note', focused: true },
      body: {
        kind: 'rows',
        rows: [{ line: ['plain ', span('red', 'failed')] }, { line: '世界\t', bar: 'selected' }],
      },
    })
    const second = box({
      rect: { x: 0, y: 3, width: 20, height: 3 },
      border: { title: 'much too long for this', focused: false, joinsAbove: true },
      body: { kind: 'pane', pane: 'b7c9' },
    })
    expect(drawBoxes([first, second], { columns: 24, rows: 6 })).toEqual([
      '┏ Title ━━━━━ note ┓',
      '┃plain red         ┃',
      '>世界\\t            ┃',
      '├ much too…or this ┤',
      '│(the terminal of b│',
      '└──────────────────┘',
    ])
  })

  test('puts later boxes over earlier ones, and cuts at the edge', () => {
    const back = box({ body: { kind: 'rows', rows: [{ line: 'x'.repeat(30) }] } })
    const front = box({ rect: { x: 12, y: 1, width: 20, height: 1 }, border: null })
    expect(drawBoxes([back, front], { columns: 16, rows: 3 })).toEqual([
      '┌ Title ────────',
      '│xxxxxxxxxxx',
      '│',
    ])
  })
})
