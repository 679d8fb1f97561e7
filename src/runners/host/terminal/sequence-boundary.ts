// Finds where a chunk of terminal output can be cut without tearing a character or an escape sequence: a client that
// joined in the middle of one would see the rest of it as text. Pure.

const ESC = 0x1b
const BEL = 0x07

/** How many bytes, from the beginning, are whole characters and sequences. */
export function wholeLength(bytes: Uint8Array): number {
  const start = bytes.lastIndexOf(ESC)
  if (start < 0 || isWholeSequence(bytes.subarray(start))) return bytes.length - unfinishedCharacter(bytes)
  // It may be the first half of a string's terminator; then the whole string is unfinished.
  const before = start === 0 ? -1 : bytes.lastIndexOf(ESC, start - 1)
  return before >= 0 && isString(bytes[before + 1]) && !isWholeSequence(bytes.subarray(before, start))
    ? before
    : start
}

/** `sequence` begins with ESC and has no other one, because an ESC always begins something new. */
function isWholeSequence(sequence: Uint8Array): boolean {
  const kind = sequence[1]
  if (kind === undefined) return false
  const rest = sequence.subarray(2)
  if (kind === 0x5b) return rest.some((byte) => isCancel(byte) || (byte >= 0x40 && byte <= 0x7e))
  if (kind === 0x5d) return rest.some((byte) => isCancel(byte) || byte === BEL)
  if (isString(kind)) return rest.some(isCancel)
  if (kind >= 0x20 && kind <= 0x2f) return rest.some((byte) => isCancel(byte) || byte >= 0x30)
  return true
}

/** OSC, DCS, SOS, PM, APC. */
const isString = (kind: number | undefined): boolean =>
  kind !== undefined && [0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(kind)

/** CAN and SUB. */
const isCancel = (byte: number): boolean => byte === 0x18 || byte === 0x1a

/** How many bytes at the end begin a UTF-8 character without finishing it. */
function unfinishedCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? back : 0
  }
  return 0
}

function lengthOfCharacter(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
