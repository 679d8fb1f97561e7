// What the person's terminal can show, from what its environment says. Pure.

import type { ColourDepth } from './screen-theme.ts'

type TerminalEnvironment = Readonly<Record<string, string | undefined>>

const FORCED: Readonly<Record<string, ColourDepth>> = { '0': 'none', '1': '16', '2': '256', '3': 'true' }
const TRUE_TERMS = /kitty|alacritty|ghostty|wezterm|^foot|contour|-direct\d*$/
const NO_COLOUR_TERMS = /^(dumb|vt\d+|cons25|cygwin-mono)/

/** FORCE_COLOR first, then NO_COLOR, in Node's order; then what the terminal says of itself. */
export function chooseDepth(env: TerminalEnvironment): ColourDepth {
  const forced = env['FORCE_COLOR'] ?? ''
  const known = FORCED[forced]
  if (known !== undefined) return known
  if (env['NO_COLOR'] && forced === '') return 'none'
  const depth = depthOf(env)
  return depth === 'none' && forced !== '' ? '16' : depth
}

function depthOf(env: TerminalEnvironment): ColourDepth {
  const term = (env['TERM'] ?? '').toLowerCase()
  if (NO_COLOUR_TERMS.test(term)) return 'none'
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') || TRUE_TERMS.test(term)) return 'true'
  // Windows Terminal does not pass COLORTERM on to a Linux inside of Windows.
  if (env['WT_SESSION'] !== undefined) return 'true'
  return /256/.test(term) || env['TERM_PROGRAM'] === 'Apple_Terminal' ? '256' : '16'
}

/** If no locale is named at all, UTF-8 is assumed, because today's terminals show it. */
export function prefersAscii(env: TerminalEnvironment): boolean {
  if (env['TERM'] === 'linux') return true
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return locale !== '' && !/utf-?8/i.test(locale)
}
