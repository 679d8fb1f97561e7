// The colours of the picture's terminal: foreground, background and sixteen of its own, and the others of the 256 as
// every terminal has them.

export const BACKGROUND = '#16181d'
export const FOREGROUND = '#d5d8de'

const SIXTEEN = [
  ...['#2b2f37', '#e5707a', '#93c47d', '#e0af68', '#7aa2f7', '#bb9af7', '#5fb3b3', '#c0c5ce'],
  ...['#5c6370', '#f28b93', '#a9d69a', '#f0c674', '#9bb8fa', '#cdb4fb', '#7fcccc', '#eceff4'],
]

const STEPS = [0, 95, 135, 175, 215, 255]

/** `value` is 0xrrggbb, or an index into the palette. */
export function colourOf(value: number, isRgb: boolean): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  const named = SIXTEEN[value]
  if (named !== undefined) return named
  if (value >= 232) return hex([0, 0, 0].map(() => 8 + (value - 232) * 10))
  const at = value - 16
  return hex([at / 36, (at / 6) % 6, at % 6].map((step) => STEPS[Math.floor(step)] ?? 0))
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
