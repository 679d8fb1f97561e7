// Gives a text with Enter behind it the way a person would: pasted, then sent. Agents tell typing from pasting by its
// speed, and would take an Enter right after many characters for one more line of them. Pure.

/** Text only: a key such as Escape or an arrow is never pasted. */
const TEXT_AND_ENTER = /^[^\x00-\x08\x0b-\x1f\x7f]+\r$/

/** `marked` says whether the program has asked for pastes to be marked. Other bytes are typed as they are. */
export function pasteText(bytes: Uint8Array, marked: boolean): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  if (!marked || !TEXT_AND_ENTER.test(text)) return bytes
  return Buffer.from(`\x1b[200~${text.slice(0, -1)}\x1b[201~\r`, 'latin1')
}
