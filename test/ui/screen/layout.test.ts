import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooSmall, layOut, type StageShape } from '../../../src/ui/screen/layout.ts'
import type { Rect, SceneBox, Size } from '../../../src/ui/screen/scene.ts'
import { drawBoxes } from '../../support/dashboard/drawing.ts'

function draw(size: Size, stage: StageShape): string[] {
  const { tree, detail, slots, footer } = layOut(size, stage)
  const framed = (key: string, rect: Rect, joinsAbove = false): SceneBox => ({
    key,
    rect,
    border: { title: key, focused: false, joinsAbove },
    body: { kind: 'rows', rows: [] },
  })
  return drawBoxes(
    [
      ...(tree === null ? [] : [framed('tree', tree)]),
      ...(detail === null ? [] : [framed('detail', detail, true)]),
      ...slots.map(({ rect, joinsAbove }, index) => framed(`${index}`, rect, joinsAbove)),
      { key: 'footer', rect: footer, border: null, body: { kind: 'rows', rows: [{ line: 'footer' }] } },
    ],
    size,
  )
}

describe('the layout', () => {
  it('puts two panes above each other, with one line between them', () => {
    expect(draw({ columns: 62, rows: 22 }, { count: 2, zoomed: false })).toEqual([
      '┌ tree ──────────────────────┐┌ 0 ───────────────────────────┐',
      ...Array(9).fill(`│${' '.repeat(28)}││${' '.repeat(30)}│`),
      `│${' '.repeat(28)}│├ 1 ───────────────────────────┤`,
      ...Array(3).fill(`│${' '.repeat(28)}││${' '.repeat(30)}│`),
      `├ detail ────────────────────┤│${' '.repeat(30)}│`,
      ...Array(5).fill(`│${' '.repeat(28)}││${' '.repeat(30)}│`),
      '└────────────────────────────┘└──────────────────────────────┘',
      'footer',
    ])
  })

  it('puts four panes in two rows, and gives a narrow screen to the zoomed one', () => {
    const four = layOut({ columns: 200, rows: 60 }, { count: 4, zoomed: false }).slots.map(({ rect }) => rect)
    expect(four).toEqual([
      { x: 46, y: 0, width: 77, height: 30 },
      { x: 123, y: 0, width: 77, height: 30 },
      { x: 46, y: 29, width: 77, height: 30 },
      { x: 123, y: 29, width: 77, height: 30 },
    ])
    const zoomed = layOut({ columns: 80, rows: 24 }, { count: 4, zoomed: true })
    expect(zoomed.tree).toBeNull()
    expect(zoomed.slots).toEqual([{ rect: { x: 0, y: 0, width: 80, height: 23 }, joinsAbove: false }])
  })

  it('covers each cell of every usable screen once, but for borders that are shared', () => {
    const shape = fc.record({ count: fc.constantFrom(0, 1, 2, 3, 4), zoomed: fc.boolean() })
    const size = fc.record({
      columns: fc.integer({ min: 60, max: 400 }),
      rows: fc.integer({ min: 15, max: 100 }),
    })
    fc.assert(
      fc.property(size, shape, (screen, stage) => {
        const { tree, detail, slots, footer } = layOut(screen, stage)
        const own = [tree, detail, footer, ...slots.map(({ rect }) => rect)].filter((rect) => rect !== null)
        const covered = new Map<string, number>()
        for (const { x, y, width, height } of own) {
          expect(width).toBeGreaterThan(2)
          expect(height).toBeGreaterThan(0)
          for (let row = y; row < y + height; row += 1) {
            for (let column = x; column < x + width; column += 1) {
              covered.set(`${column},${row}`, (covered.get(`${column},${row}`) ?? 0) + 1)
            }
          }
        }
        expect(covered.size).toBe(screen.columns * screen.rows)
        const shared = [...covered.values()].filter((times) => times > 1).length
        expect(shared).toBeLessThanOrEqual(screen.columns * 2)
      }),
      { numRuns: 60 },
    )
  })

  it('knows which screens are too small', () => {
    expect(isTooSmall({ columns: 60, rows: 15 })).toBe(false)
    expect(isTooSmall({ columns: 59, rows: 50 })).toBe(true)
    expect(isTooSmall({ columns: 200, rows: 14 })).toBe(true)
  })
})
