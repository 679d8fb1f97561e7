import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { drawSvg } from './draw-svg.ts'
import { maskText, readCells } from './read-cells.ts'

async function draw(text: string, masks: Readonly<Record<string, string>> = {}): Promise<string> {
  const terminal = new Terminal({ cols: 20, rows: 1, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const svg = drawSvg(maskText(readCells(terminal), new Map(Object.entries(masks))), 'a <test>')
  terminal.dispose()
  return svg
}

/** Column, width in cells and text of each run. */
const runsOf = (svg: string): (readonly [number, number, string])[] =>
  [...svg.matchAll(/<tspan [^>]*x="([\d.]+)" textLength="([\d.]+)">([^<]*)</g)].map(
    ([, x, length, text = '']) => [Math.round(Number(x) / 8.4), Math.round(Number(length) / 8.4), text],
  )

test('a run of one style is one span; each begins at its own column', async () => {
  expect(runsOf(await draw('plain \x1b[1mbold\x1b[0m end'))).toEqual([
    [0, 5, 'plain'],
    [6, 4, 'bold'],
    [11, 3, 'end'],
  ])
})

test('wide characters are as wide as their two cells', async () => {
  expect(runsOf(await draw('a 日本 b'))).toEqual([
    [0, 1, 'a'],
    [2, 4, '日本'],
    [7, 1, 'b'],
  ])
})

test('colours, weights and lines of a text are those of the terminal', async () => {
  const svg = await draw('\x1b[38;2;1;2;3;1;4mx\x1b[0;2;9my\x1b[0;7mz')
  expect(svg).toContain('fill:#010203;font-weight:bold;text-decoration:underline')
  expect(svg).toContain('fill-opacity:.6;text-decoration:line-through')
  expect(svg).toMatch(/<rect x="16.8" y="0" width="8.4" height="18" fill="#d5d8de"\/>/)
})

test('frames are drawn as lines that meet', async () => {
  const svg = await draw('┌──┐')
  expect(runsOf(svg)).toEqual([])
  expect(svg).toContain('M8.4 9H29.7')
})

test('what differs from run to run is masked, and markup is text', async () => {
  expect(runsOf(await draw('a3f2 <b>&', { a3f2: 'b7c9' }))).toEqual([[0, 9, 'b7c9 &lt;b&gt;&amp;']])
})
