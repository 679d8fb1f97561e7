// What colours mean, in one table. A colour stands for a state and nothing else, and the text says the same without it.

import type { DisplayState } from '../../core/model/status.ts'

export type Meaning =
  | 'working'
  | 'needs_you'
  | 'ready'
  | 'failed'
  | 'landed'
  | 'idle'
  | 'accent'
  | 'strong'
  | 'dim'
  | 'added'
  | 'removed'
  | 'key'
  /** What a search has found. */
  | 'match'
  | SyntaxMeaning

/** Parts of a program's text. */
export type SyntaxMeaning =
  | 'syntax_keyword'
  | 'syntax_string'
  | 'syntax_number'
  | 'syntax_comment'
  | 'syntax_type'
  | 'syntax_function'

/** SGR parameters of the 16 colours, so that the person's own palette decides their shades. */
const SGR: Readonly<Record<Meaning, string>> = {
  working: '36',
  needs_you: '33',
  ready: '32',
  failed: '31',
  landed: '35',
  idle: '2',
  accent: '36',
  strong: '1',
  dim: '2',
  added: '32',
  removed: '31',
  key: '1',
  match: '7',
  syntax_keyword: '35',
  syntax_string: '32',
  syntax_number: '33',
  syntax_comment: '2',
  syntax_type: '36',
  syntax_function: '34',
}

export type Paint = (text: string, meaning: Meaning) => string

export const paintNothing: Paint = (text) => text
const paintSgr: Paint = (text, meaning) => (text === '' ? '' : `\x1b[${SGR[meaning]}m${text}\x1b[0m`)

export interface ColourFacts {
  readonly env: NodeJS.ProcessEnv
  readonly isTTY: boolean
  /** --no-color was given. */
  readonly refused: boolean
}

/**
 * --no-color first, then FORCE_COLOR, then NO_COLOR (in Node's order); otherwise only on a terminal that is not dumb.
 */
export function choosePaint({ env, isTTY, refused }: ColourFacts): Paint {
  if (refused) return paintNothing
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced === '0' ? paintNothing : paintSgr
  if (env['NO_COLOR']) return paintNothing
  return isTTY && env['TERM'] !== 'dumb' ? paintSgr : paintNothing
}

interface StateLook {
  readonly words: string
  readonly meaning: Meaning
}

export const STATE_LOOKS: Readonly<Record<DisplayState, StateLook>> = {
  starting: { words: 'starting', meaning: 'working' },
  working: { words: 'working', meaning: 'working' },
  needs_input: { words: 'needs input', meaning: 'needs_you' },
  ready_for_review: { words: 'to review', meaning: 'needs_you' },
  blocked: { words: 'blocked', meaning: 'needs_you' },
  idle: { words: 'idle', meaning: 'idle' },
  stalled: { words: 'stalled', meaning: 'needs_you' },
  ready: { words: 'ready', meaning: 'ready' },
  failed: { words: 'failed', meaning: 'failed' },
  landed: { words: 'landed', meaning: 'landed' },
  discarded: { words: 'discarded', meaning: 'idle' },
}
