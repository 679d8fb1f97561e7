import { describe, expect, test } from 'vitest'
import { paletteColour } from '../../../src/ui/screen/cells/reduce-colour.ts'
import { chooseDepth, prefersAscii } from '../../../src/ui/screen/choose-depth.ts'
import { makeTheme } from '../../../src/ui/screen/make-theme.ts'
import type { Colour, ColourDepth } from '../../../src/ui/screen/screen-theme.ts'

const GROUNDS = { dark: 0x1a1a1e, light: 0xffffff } as const
const DEPTHS = ['none', '16', '256', 'true'] as const

/** The contrast as WCAG measures it: 4.5 is easily read, and at half of that two colours can still be told apart. */
function contrast(a: number, b: number): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(rgb: number): number {
  const linear = [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = linear
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const colourValue = (colour: Colour, otherwise: number): number => {
  if (colour === null) return otherwise
  return 'rgb' in colour ? colour.rgb : paletteColour(colour.index)
}

describe.each(['dark', 'light'] as const)('on a %s terminal', (background) => {
  test.each(['256', 'true'] as const)('every meaning is readable in %s colours, on each bar too', (depth) => {
    const theme = makeTheme({ depth, background, ascii: false })
    const grounds = [
      GROUNDS[background],
      ...Object.values(theme.bars).map((bar) => colourValue(bar.bg ?? null, 0)),
    ]
    for (const [meaning, { fg }] of Object.entries(theme.meanings)) {
      if (fg === null) continue
      for (const ground of grounds) {
        expect(contrast(colourValue(fg, 0), ground), `${meaning} on ${ground.toString(16)}`).toBeGreaterThan(
          2.3,
        )
      }
      expect(contrast(colourValue(fg, 0), GROUNDS[background]), meaning).toBeGreaterThan(4.5)
    }
    expect(contrast(colourValue(theme.focusedBorder.fg, 0), GROUNDS[background])).toBeGreaterThan(4.5)
  })

  test.each(DEPTHS)('what needs a person differs from what does not, in %s colours', (depth) => {
    const { meanings, border, focusedBorder, bars } = makeTheme({ depth, background, ascii: false })
    expect(meanings.needs_you).not.toEqual(meanings.working)
    expect(meanings.failed).not.toEqual(meanings.ready)
    expect(focusedBorder).not.toEqual(border)
    expect(bars.selected).not.toEqual(bars.unfocused)
  })

  test('there is no colour without colours', () => {
    const theme = makeTheme({ depth: 'none', background, ascii: false })
    const styles = [...Object.values(theme.meanings), ...Object.values(theme.bars), theme.plain, theme.border]
    expect(styles.flatMap(({ fg, bg }) => [fg ?? null, bg ?? null])).toEqual(
      Array(styles.length * 2).fill(null),
    )
  })

  test('with 16 colours the palette is the person’s own', () => {
    const theme = makeTheme({ depth: '16', background, ascii: false })
    const colours = [...Object.values(theme.meanings), ...Object.values(theme.bars)].flatMap(({ fg, bg }) => [
      fg,
      bg,
    ])
    const indexes = colours.flatMap((colour) => (colour && 'index' in colour ? [colour.index] : []))
    expect(colours.some((colour) => colour && 'rgb' in colour)).toBe(false)
    expect(Math.max(...indexes)).toBeLessThan(16)
  })
})

test.each<[Record<string, string>, ColourDepth]>([
  [{ TERM: 'xterm-256color' }, '256'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'true'],
  [{ TERM: 'tmux-256color' }, '256'],
  [{ TERM: 'screen' }, '16'],
  [{ TERM: 'screen-256color', COLORTERM: '24bit' }, 'true'],
  [{ TERM: 'xterm' }, '16'],
  [{ TERM: 'xterm-kitty' }, 'true'],
  [{ TERM: 'alacritty' }, 'true'],
  [{ TERM: 'foot' }, 'true'],
  [{ TERM: 'xterm-ghostty' }, 'true'],
  [{ TERM: 'xterm-direct' }, 'true'],
  [{ TERM: 'xterm-256color', WT_SESSION: 'x' }, 'true'],
  [{ TERM: 'nsterm', TERM_PROGRAM: 'Apple_Terminal' }, '256'],
  [{ TERM: 'linux' }, '16'],
  [{ TERM: 'vt220' }, 'none'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
  [{}, '16'],
  [{ TERM: 'xterm-kitty', NO_COLOR: '1' }, 'none'],
  [{ TERM: 'xterm-kitty', NO_COLOR: '' }, 'true'],
  [{ TERM: 'xterm-kitty', FORCE_COLOR: '0' }, 'none'],
  [{ TERM: 'dumb', FORCE_COLOR: '3' }, 'true'],
  [{ TERM: 'xterm', FORCE_COLOR: '1', NO_COLOR: '1' }, '16'],
  [{ TERM: 'xterm', FORCE_COLOR: '2' }, '256'],
  [{ TERM: 'xterm-256color', FORCE_COLOR: 'true', NO_COLOR: '1' }, '256'],
  [{ TERM: 'dumb', FORCE_COLOR: 'true' }, '16'],
])('%o is a terminal of %s colours', (env, depth) => {
  expect(chooseDepth(env)).toBe(depth)
})

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ LANG: 'en_US.UTF-8' }, false],
  [{ LANG: 'C.utf8' }, false],
  [{ LC_CTYPE: 'UTF-8' }, false],
  [{ LANG: 'C' }, true],
  [{ LANG: 'de_DE.ISO-8859-1' }, true],
  [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, true],
  [{ LC_ALL: '', LC_CTYPE: 'en_US.UTF-8', LANG: 'C' }, false],
  [{ TERM: 'linux', LANG: 'en_US.UTF-8' }, true],
])('%o prefers ASCII: %s', (env, ascii) => {
  expect(prefersAscii(env)).toBe(ascii)
})
