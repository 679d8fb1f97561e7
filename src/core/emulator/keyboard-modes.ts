// Which encoding of keys a program has asked for. The emulator does not remember this: the kitty keyboard protocol
// keeps a stack of flags for each of the two screens, and xterm's modifyOtherKeys is one number.

import type { Terminal } from '@xterm/headless'
import { insidesOf, usesAlternate } from './xterm-insides.ts'

export interface KeyboardModes {
  /** Flags of the kitty protocol on the screen that is in use. 0 is the old encoding. */
  flags(): number
  otherKeys(): number
  /** All of it as numbers, always as many. */
  state(): readonly number[]
  load(state: readonly number[]): void
}

type Params = readonly (number | number[])[]

const LONGEST_STACK = 32
const ALL_FLAGS = 31

export function trackKeyboard(terminal: Terminal): KeyboardModes {
  const { parser } = terminal
  let stacks = { normal: [0], alternate: [0] }
  let otherKeys = 0
  const insides = insidesOf(terminal)
  const stack = (): number[] => (usesAlternate(insides) ? stacks.alternate : stacks.normal)
  const flags = (): number => stack().at(-1) ?? 0

  parser.registerCsiHandler({ prefix: '>', final: 'u' }, (params) => {
    stack().push(first(params, 0) & ALL_FLAGS)
    if (stack().length > LONGEST_STACK) stack().splice(1, 1)
    return true
  })
  parser.registerCsiHandler({ prefix: '<', final: 'u' }, (params) => {
    stack().splice(Math.max(1, stack().length - Math.max(1, first(params, 1))))
    return true
  })
  parser.registerCsiHandler({ prefix: '=', final: 'u' }, (params) => {
    stack().splice(-1, 1, changeFlags(flags(), params))
    return true
  })
  parser.registerCsiHandler({ prefix: '>', final: 'm' }, (params) => {
    if (first(params, 0) === 4) otherKeys = typeof params[1] === 'number' ? params[1] : 0
    return true
  })
  parser.registerEscHandler({ final: 'c' }, () => {
    stacks = { normal: [0], alternate: [0] }
    otherKeys = 0
    return false
  })
  return {
    flags,
    otherKeys: () => otherKeys,
    state: () => [otherKeys, ...padStack(stacks.normal), ...padStack(stacks.alternate)],
    load: (state) => {
      otherKeys = state[0] ?? 0
      stacks = { normal: stackAt(state, 1), alternate: stackAt(state, LONGEST_STACK + 2) }
    },
  }
}

/** Its length, then room for the longest. */
const padStack = (stack: readonly number[]): number[] => [
  stack.length,
  ...stack,
  ...new Array<number>(LONGEST_STACK - stack.length).fill(0),
]

function stackAt(state: readonly number[], at: number): number[] {
  const length = Math.max(1, Math.min(state[at] ?? 1, LONGEST_STACK))
  return state.slice(at + 1, at + 1 + length).map((flags) => flags & ALL_FLAGS)
}

/** The second parameter says whether the flags are set, added or removed. */
function changeFlags(flags: number, params: Params): number {
  const given = first(params, 0) & ALL_FLAGS
  if (params[1] === 2) return flags | given
  return params[1] === 3 ? flags & ~given : given
}

const first = (params: Params, otherwise: number): number =>
  typeof params[0] === 'number' ? params[0] : otherwise
