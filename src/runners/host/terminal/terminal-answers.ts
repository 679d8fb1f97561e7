// Answers questions that the emulator leaves open, and hears the status that a program reports of itself.

import type { Terminal } from '@xterm/headless'
import { type KeyboardModes, trackKeyboard } from '../../../core/emulator/keyboard-modes.ts'
import type { ReportedStatus } from '../../../core/model/reported-status.ts'

export interface AnswerDoors {
  readonly reply: (text: string) => void
  /** null: the program takes back what it said before. */
  readonly onStatus: (state: ReportedStatus | null) => void
}

export interface ProgramModes {
  readonly keyboard: KeyboardModes
}

/** Colours of a dark terminal: programs ask for these to choose readable ones. */
const COLOURS: readonly string[] = ['rgb:d0d0/d0d0/d0d0', 'rgb:1010/1010/1010', 'rgb:d0d0/d0d0/d0d0']
const VERSION = 'agency'

export function answerQueries(terminal: Terminal, { reply, onStatus }: AnswerDoors): ProgramModes {
  const { parser } = terminal
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => sayReply(reply, `\x1bP>|${VERSION}\x1b\\`))
  parser.registerOscHandler(4, (data) => answerPalette(data, reply))
  for (const slot of [0, 1, 2]) {
    parser.registerOscHandler(10 + slot, (data) => answerColours(data, slot, reply))
  }
  parser.registerOscHandler(7501, (data) => {
    if (data.startsWith('?')) return sayReply(reply, '\x1b]7501;?\x1b\\')
    const state = parseStatus(data)
    if (state !== null) onStatus(state === 'clear' ? null : state)
    return true
  })
  const keyboard = trackKeyboard(terminal)
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => sayReply(reply, `\x1b[?${keyboard.flags()}u`))
  return { keyboard }
}

function sayReply(reply: (text: string) => void, text: string): true {
  reply(text)
  return true
}

/** `10;?;?` asks for slots 10 and 11. Anything that is no question is left to the emulator. */
function answerColours(data: string, first: number, reply: (text: string) => void): boolean {
  const fields = data.split(';')
  if (!fields.includes('?')) return false
  fields.forEach((field, index) => {
    const colour = COLOURS[first + index]
    if (field === '?' && colour !== undefined) reply(`\x1b]${10 + first + index};${colour}\x1b\\`)
  })
  return true
}

function answerPalette(data: string, reply: (text: string) => void): boolean {
  const fields = data.split(';')
  if (!fields.includes('?')) return false
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const index = Number(fields[at])
    if (fields[at + 1] === '?' && index >= 0 && index < 256) {
      reply(`\x1b]4;${index};${formatColour(answeredColour(index))}\x1b\\`)
    }
  }
  return true
}

const BASE = [0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5]
const BRIGHT = [0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff]

/** The colour of an index in xterm's own palette of 256. */
function answeredColour(index: number): number {
  const named = [...BASE, ...BRIGHT][index]
  if (named !== undefined) return named
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101
  const step = (level: number): number => (level === 0 ? 0 : 55 + level * 40)
  const cube = index - 16
  return (step(Math.floor(cube / 36)) << 16) | (step(Math.floor(cube / 6) % 6) << 8) | step(cube % 6)
}

function formatColour(colour: number): string {
  const pair = (shift: number): string => ((colour >> shift) & 255).toString(16).padStart(2, '0').repeat(2)
  return `rgb:${pair(16)}/${pair(8)}/${pair(0)}`
}

/**
 * Reads the status in OSC 7501, by which a program reports its state: `state=blocked:kind=question:msg=…`. All of it is
 * untrusted.
 */
export function parseStatus(data: string): ReportedStatus | 'clear' | null {
  const fields = new Map(
    data.split(/[:;]/).map((field) => {
      const [name = '', value = ''] = field.split('=')
      return [name.trim(), value.trim()] as const
    }),
  )
  const state = fields.get('state')
  const states: Readonly<Record<string, ReportedStatus | 'clear'>> = {
    working: 'working',
    blocked: 'needs_input',
    done: 'ready_for_review',
    error: 'blocked',
    idle: 'idle',
    clear: 'clear',
  }
  return Object.hasOwn(states, state ?? '') ? (states[state ?? ''] ?? null) : null
}

/** Sequences that set the keyboard encoding that the program has asked for. */
export function keyboardOf({ flags, otherKeys }: KeyboardModes): string {
  const kitty = flags() === 0 ? '' : `\x1b[>${flags()}u`
  return kitty + (otherKeys() === 0 ? '' : `\x1b[>4;${otherKeys()}m`)
}
