// Text that a terminal sends as it was typed, one byte a character: printable ASCII.

const FIRST = 0x20
const BEHIND_LAST = 0x7f

/** One string for each of its bytes. */
export const PLAIN_CHARACTERS: readonly string[] = Array.from({ length: BEHIND_LAST - FIRST }, (_, index) =>
  String.fromCharCode(FIRST + index),
)

/** Whether there are bytes, and all of them are such text. */
export function isPlainText(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte < FIRST || byte >= BEHIND_LAST) return false
  return bytes.length > 0
}
