// The canvas may write only this to a person's terminal: text, looks, positions, erasures, links, the cursor's look,
// and the frames of synchronized output.

const ALLOWED = new RegExp(
  [
    '[^\\x00-\\x1f\\x7f-\\x9f]+',
    '\\x1b\\[[0-9;:]*m',
    '\\x1b\\[\\d+;\\d+H|\\x1b\\[H|\\x1b\\[\\d*C',
    '\\x1b\\[K|\\x1b\\[2J',
    '\\x1b\\[\\?(?:7|25|2026)[hl]',
    '\\x1b\\[[0-6] q',
    '\\x1b\\]8;;(?:(?:https?|file)://[\\x21-\\x7e]+)?\\x1b\\\\',
  ].join('|'),
  'gi',
)

/** What is left of an output when everything allowed is taken out. It should be empty. */
export const foreignBytes = (output: string): string => output.replace(ALLOWED, '')

/** Characters that turn the direction of the text beside them. */
export const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
