// Text with Enter behind it, as a person would give it: pasted, then sent. An agent takes many characters at once for
// typing or for a paste by their speed, and Enter right behind them for one more line of it. PURE.

/** Only text: a key such as Escape or an arrow is never pasted. */
const TEXT_AND_ENTER = /^[^\x00-\x08\x0b-\x1f\x7f]+\r$/

/** `marked` is whether the program on the terminal asked for pastes to be marked; all else is typed as it is. */
export function pasteText(bytes: Uint8Array, marked: boolean): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  if (!marked || !TEXT_AND_ENTER.test(text)) return bytes
  return Buffer.from(`\x1b[200~${text.slice(0, -1)}\x1b[201~\r`, 'latin1')
}
