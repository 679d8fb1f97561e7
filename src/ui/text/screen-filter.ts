// Lets an agent's terminal output through to a person's own terminal, but nothing that reaches beyond the picture: no
// clipboard, no window, no question that the terminal would answer into the agent's input (the host's emulator has
// answered it already), and nothing that leaves the screen that we draw on.

import { EscapeScanner, type TerminalToken } from './escape-scanner.ts'
import { makeVisible } from './visible.ts'

export interface Filtered {
  readonly output: string
  /** The program has gone back to its first screen, which only its host can draw again. */
  readonly redraw: boolean
}

type CsiToken = Extract<TerminalToken, { kind: 'csi' }>

const CONTROLS = /[\x07-\x0f]/
const ESCAPES = /^(?:[78=>DEHM]|[()*+\-./][0-9A-Z]|#[3-68]|[no|}~])$/
/** Finals that may pass, by prefix: drawing and colours, selective erasing, the kitty keyboard and modifyOtherKeys. */
const FINALS: Readonly<Record<string, RegExp>> = {
  '': /[@A-MPSTXZ`abdefgmrsu]/,
  '?': /[JK]/,
  '>': /[mu]/,
  '<': /u/,
  '=': /u/,
}
/** Cursor shape, soft reset, protected characters. */
const SHAPES = new Set([' q', '!p', '"q'])
/** Private modes that change the picture, or which keys and mouse events are sent. */
const MODES = new Set([
  1, 5, 6, 7, 9, 12, 25, 45, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2026,
])
const ALTERNATE_SCREEN = new Set([47, 1047, 1049])

/** Sets every mode that a program may have changed back to what a shell expects, without leaving the screen. */
export const MODE_RESET = [
  '\x18\x1b\\',
  '\x1b[?1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l',
  '\x1b[<99u\x1b[>4m',
  '\x1b[?1;5;6;9;45l\x1b[?7;25h\x1b[4l\x1b[20l\x1b>',
  '\x1b[r\x1b(B\x0f\x1b[0 q\x1b[0m',
].join('')

const CLEAR = '\x1b[2J'

export class ScreenFilter {
  readonly #scanner = new EscapeScanner()

  filter(chunk: string): Filtered {
    let output = ''
    let redraw = false
    for (const token of this.#scanner.scan(chunk)) {
      output += passToken(token)
      redraw ||= leavesScreen(token)
    }
    return { output, redraw }
  }
}

function passToken(token: TerminalToken): string {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'control':
      return CONTROLS.test(token.char) ? token.char : ''
    case 'escape':
      if (token.text === 'c') return `${MODE_RESET}${CLEAR}\x1b[H`
      return ESCAPES.test(token.text) ? `\x1b${token.text}` : ''
    case 'string':
      return token.introducer === ']' ? passOsc(token.body) : ''
    case 'csi':
      return passCsi(token)
  }
}

/** Lets only titles and links pass. */
function passOsc(body: string): string {
  return /^[0128];/.test(body) ? `\x1b]${makeVisible(body)}\x1b\\` : ''
}

function passCsi(csi: CsiToken): string {
  const { prefix, params, intermediates, final } = csi
  const whole = `\x1b[${prefix}${params}${intermediates}${final}`
  if (intermediates !== '') return SHAPES.has(`${prefix}${intermediates}${final}`) ? whole : ''
  if (final === 'h' || final === 'l') return passMode(csi, whole)
  const allowed = FINALS[prefix]?.test(final) === true && !startsTracking(csi)
  return allowed ? whole : ''
}

/** With more than one number, `T` would start highlight tracking, which waits for an answer from the program. */
const startsTracking = ({ params, final }: CsiToken): boolean => final === 'T' && params.includes(';')

/** Of the modes without a prefix, insert mode and newline mode pass, but not the one that locks the keyboard. */
function passMode({ prefix, params, final }: CsiToken, whole: string): string {
  if (prefix === '?') return passModes(params, final)
  return prefix === '' && (params === '4' || params === '20') ? whole : ''
}

function passModes(params: string, final: string): string {
  const numbers = params.split(';').map(Number)
  const kept = numbers.filter((mode) => MODES.has(mode))
  const cleared = final === 'h' && numbers.some((mode) => ALTERNATE_SCREEN.has(mode)) ? CLEAR : ''
  return `${cleared}${kept.length === 0 ? '' : `\x1b[?${kept.join(';')}${final}`}`
}

const leavesScreen = (token: TerminalToken): boolean =>
  token.kind === 'csi' &&
  token.prefix === '?' &&
  token.final === 'l' &&
  token.params.split(';').some((mode) => ALTERNATE_SCREEN.has(Number(mode)))
