// Questions that a program asks its terminal. The host's emulator answers all of them, whether somebody has joined or
// not, so they are taken out of what clients get: a second answer, from the person's terminal, would be typed into the
// program. Pure.

const QUERIES = new RegExp(
  [
    '\\x05', // ENQ
    '\\x1bZ', // DECID
    '\\x1b\\[[>=]?0?c', // DA1, DA2, DA3
    '\\x1b\\[\\??\\d+n', // DSR, cursor position
    '\\x1b\\[\\??[\\d;]*\\$p', // DECRQM
    '\\x1b\\[[01]?x', // DECREQTPARM
    '\\x1b\\[>0?q', // XTVERSION
    '\\x1b\\[(?:1[13-689]|2[01])(?:;\\d+)*t', // XTWINOPS reports
    '\\x1b\\[\\?u', // kitty keyboard
    '\\x1b\\[\\?[\\d;]*[mS]', // XTQMODKEYS, XTSMGRAPHICS
    '\\x1b\\](?:4|5|1\\d|21|52|7501);(?:[^\\x07\\x18\\x1a\\x1b]*[;=])?\\?(?:\\x07|\\x1b\\\\)', // colours, clipboard, status
    '\\x1bP[$+]q[^\\x18\\x1a\\x1b]*\\x1b\\\\', // DECRQSS, XTGETTCAP
  ].join('|'),
  'g',
)

/**
 * What stands before and after a question does not join, and a sequence that the question has cut short ends. Terminals
 * ignore it.
 */
const NOTHING = '\x1b\\'
/** ENQ cuts nothing short. */
const NO_CONTROL = '\0'

/**
 * Sequences that only draw, or set what is asked for later: colours, cursor, lines and characters, modes, titles,
 * links. Any other sequence may be a question, or something that we are told.
 */
const DRAWING = [
  '\\[[\\d;:]*[@A-HJ-MPSTXdfhlmrsu`]',
  '\\[\\?[\\d;]*[hl]',
  '\\](?:[0-2]|8);[^\\x05\\x07\\x1b]*(?:\\x07|\\x1b\\\\)',
  '[78=>DEM\\\\]',
  '\\([0B]',
].join('|')

/** ENQ, an eight-bit control in UTF-8, or any other sequence. */
const LOUD = new RegExp(`\\x05|\\xc2[\\x80-\\x9f]|\\x1b(?!${DRAWING})`)

/**
 * Whether nothing in it asks for an answer or tells us anything, so that it can be drawn later. `bytes` holds whole
 * sequences only.
 */
export function isSilent(bytes: Uint8Array): boolean {
  return !LOUD.test(latin1(bytes))
}

/** `bytes` holds whole sequences only. */
export function withoutQueries(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x1b) && !bytes.includes(0x05)) return bytes
  const text = latin1(bytes)
  const kept = text.replace(QUERIES, (query) => (query.startsWith('\x1b') ? NOTHING : NO_CONTROL))
  return kept === text ? bytes : Buffer.from(kept, 'latin1')
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
