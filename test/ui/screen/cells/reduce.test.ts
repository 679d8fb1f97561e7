import { expect, test } from 'vitest'
import { asciiOf } from '../../../../src/ui/screen/cells/ascii-glyphs.ts'
import { PALETTE_16, PALETTE_256, RGB } from '../../../../src/ui/screen/cells/cell.ts'
import { NARROW } from '../../../../src/ui/screen/cells/cell-row.ts'
import { lightOf, paletteColour, reduceColour } from '../../../../src/ui/screen/cells/reduce-colour.ts'
import { isTurning, safeCluster, safeUri } from '../../../../src/ui/screen/cells/safe-text.ts'
import { widthOf } from '../../../../src/ui/text/width.ts'

test('colours of the palette stay what they are as long as the terminal has them', () => {
  for (let index = 0; index < 16; index++) {
    expect(reduceColour(PALETTE_16 | index, '16')).toBe(PALETTE_16 | index)
    expect(reduceColour(PALETTE_16 | index, '256')).toBe(PALETTE_16 | index)
    expect(reduceColour(PALETTE_256 | index, '256')).toBe(PALETTE_256 | index)
    expect(reduceColour(PALETTE_256 | index, '16')).toBe(PALETTE_16 | index)
  }
  expect([reduceColour(0, '16'), reduceColour(0, '256')]).toEqual([0, 0])
})

test('every colour of the 256 is its own nearest', () => {
  for (let index = 16; index < 256; index++) {
    const nearest = reduceColour(RGB | paletteColour(index), '256') & 0xff
    expect(paletteColour(nearest)).toBe(paletteColour(index))
  }
})

test('other colours become near ones', () => {
  expect(reduceColour(RGB | 0xfe0102, '256')).toBe(PALETTE_256 | 196)
  expect(reduceColour(RGB | 0x333436, '256')).toBe(PALETTE_256 | 236)
  expect(reduceColour(RGB | 0xf01010, '16')).toBe(PALETTE_16 | 9)
  expect(reduceColour(RGB | 0x101010, '16')).toBe(PALETTE_16 | 0)
  expect(reduceColour(PALETTE_256 | 250, '16')).toBe(PALETTE_16 | 7)
})

test('lightness orders colours as eyes do', () => {
  expect([0x000000, 0x0000ff, 0xff0000, 0x00ff00, 0xffffff].map(lightOf)).toEqual([
    0, 29.07, 76.245, 149.685, 255,
  ])
})

test('every glyph has one printable character of ASCII', () => {
  const glyphs = '┌─┐│└┘├┤┼╭╮═║…·●○▶◀▲▼✓✗→←↑↓█▓éüÅ漢🎉“”’\u00a0'
  expect([...glyphs].map(asciiOf).join('')).toBe(
    '+-+|+++++++=|..*o><^vvx>^<v##euA??""\' '.replace('=|..', '-|..').replace('>^<v', '><^v'),
  )
})

test('characters that are taken for narrow without a look are narrow', () => {
  const taken = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).filter((char) =>
    NARROW.test(char),
  )
  expect(taken.length).toBeGreaterThan(400)
  expect(taken.filter((char) => widthOf(char) !== 1)).toEqual([])
})

test('what turns a line around is taken out of clusters, and what cannot end is cut', () => {
  expect(safeCluster('👩\u200d💻')).toBe('👩\u200d💻')
  expect(safeCluster('a\u202e\u2066\ud800')).toBe('a')
  expect(safeCluster('\u202e')).toBe(' ')
  expect(safeCluster(`a${'\u0301'.repeat(99)}`)).toHaveLength(32)
  const turning = Array.from({ length: 0x10000 }, (_, code) => code).filter(isTurning)
  for (const code of [0xad, 0x61c, 0x200e, 0x202e, 0x2066, 0x2069, 0xfeff, 0xd800, 0xdfff]) {
    expect(turning).toContain(code)
  }
  for (const code of [0x20, 0x41, 0x200c, 0x200d, 0x2026, 0xe000, 0xfe0f]) expect(turning).not.toContain(code)
})

test('only addresses that a click may open become links', () => {
  for (const uri of [
    'https://example.com/a?b=c#d',
    'http://localhost:3000',
    'file:///desk/a%20b',
    'HTTPS://X',
  ]) {
    expect(safeUri(uri)).toBe(uri)
  }
  for (const uri of [
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a\x07b',
    'https://a\x1b\\b',
    'https://a b',
    'https://a\u202eb',
    'ssh://host',
    ` https://a`,
    `https://${'a'.repeat(5000)}`,
  ]) {
    expect(safeUri(uri)).toBe('')
  }
})
