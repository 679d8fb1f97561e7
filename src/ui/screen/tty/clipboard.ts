// The clipboard of the machine that the person sits at. Their terminal fills it when asked, even over SSH.

/** Bytes in base64. Terminals drop a longer text, or everything after it. */
const LARGEST = 100_000

/**
 * null if it is too long. Inside of tmux it is the same sequence: with `set-clipboard on` tmux passes it on, while
 * tmux's passthrough would need a setting that is off by default.
 */
export function encodeCopy(text: string): string | null {
  const encoded = Buffer.from(text).toString('base64')
  return encoded.length > LARGEST ? null : `\x1b]52;c;${encoded}\x07`
}
