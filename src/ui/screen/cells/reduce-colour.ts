// Colours for terminals that show fewer: 24 bits become the nearest of the 256, and these the nearest of the 16.

import { COLOUR_MASK, MODE_MASK, PALETTE_16, PALETTE_256, RGB } from './cell.ts'

/** The lower 26 bits of a fg or bg word. */
type ColourBits = number

/** xterm's defaults. A person's own palette may differ, but keeps the order of hues and brightness. */
const SIXTEEN: readonly number[] = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000,
  0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
]
const LEVELS: readonly number[] = [0, 95, 135, 175, 215, 255]
const CUBE = 16
const GREYS = 232

/**
 * Agents use a few colours again and again. A ramp of thousands may come by, so the cache is emptied when it is large.
 */
const LARGEST_CACHE = 4096
const cache = new Map<number, ColourBits>()

export function reduceColour(colour: ColourBits, depth: '16' | '256'): ColourBits {
  const mode = colour & MODE_MASK
  if (mode === 0 || mode === PALETTE_16 || (mode === PALETTE_256 && depth === '256')) return colour
  const key = colour + (depth === '16' ? COLOUR_MASK + 1 : 0)
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= LARGEST_CACHE) cache.clear()
  const value = colour & 0xffffff
  const rgb = mode === RGB ? value : paletteColour(value & 255)
  const reduced = depth === '256' ? PALETTE_256 | nearestOf256(rgb) : PALETTE_16 | nearestOf16(rgb)
  cache.set(key, reduced)
  return reduced
}

/** How bright it looks, 0 to 255. */
export const lightOf = (rgb: number): number =>
  (((rgb >> 16) & 255) * 299 + ((rgb >> 8) & 255) * 587 + (rgb & 255) * 114) / 1000

/** The usual colour of a palette index. */
export function paletteColour(index: number): number {
  const named = SIXTEEN[index]
  if (named !== undefined) return named
  if (index >= GREYS) return (8 + (index - GREYS) * 10) * 0x010101
  const at = index - CUBE
  const level = (step: number): number => LEVELS[step] ?? 0
  return (level(Math.floor(at / 36)) << 16) | (level(Math.floor(at / 6) % 6) << 8) | level(at % 6)
}

function nearestOf256(rgb: number): number {
  const channels = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
  const [red = 0, green = 0, blue = 0] = channels.map(nearestLevel)
  const cube = CUBE + red * 36 + green * 6 + blue
  const average = channels.reduce((sum, channel) => sum + channel, 0) / 3
  const grey = GREYS + Math.min(23, Math.max(0, Math.round((average - 8) / 10)))
  return distance(rgb, paletteColour(grey)) < distance(rgb, paletteColour(cube)) ? grey : cube
}

function nearestLevel(channel: number): number {
  const above = LEVELS.findIndex((level) => level >= channel)
  if (above === 0) return 0
  const [low = 0, high = 255] = [LEVELS[above - 1], LEVELS[above]]
  return channel - low < high - channel ? above - 1 : above
}

function nearestOf16(rgb: number): number {
  let best = 0
  for (let index = 1; index < SIXTEEN.length; index++) {
    if (distance(rgb, SIXTEEN[index] ?? 0) < distance(rgb, SIXTEEN[best] ?? 0)) best = index
  }
  return best
}

/** Weighted by how well eyes tell the channels apart. */
function distance(a: number, b: number): number {
  const red = ((a >> 16) & 255) - ((b >> 16) & 255)
  const green = ((a >> 8) & 255) - ((b >> 8) & 255)
  const blue = (a & 255) - (b & 255)
  return 3 * red * red + 4 * green * green + 2 * blue * blue
}
