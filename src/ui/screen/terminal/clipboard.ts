// The clipboard of the person's machine, which their terminal fills when asked: it works over SSH too.

/** Bytes as base64. Terminals drop longer ones, or everything that follows. */
const LARGEST = 100_000

/**
 * null where it is too long. Plain inside tmux as well: with `set-clipboard on` it passes it on, and its passthrough
 * would need a setting that is off by default.
 */
export function encodeCopy(text: string): string | null {
  const encoded = Buffer.from(text).toString('base64')
  return encoded.length > LARGEST ? null : `\x1b]52;c;${encoded}\x07`
}
