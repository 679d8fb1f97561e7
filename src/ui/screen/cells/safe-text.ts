// What must not reach the person's terminal although the emulator has it in a cell: characters that change the
// direction of a whole line, even beside the pane, and clusters without an end.

/** Joiners and the tags of flags may pass, because they are part of what a person sees. */
const TURNING =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu
const LONGEST_CLUSTER = 32
const LONGEST_URI = 2048

export function safeCluster(text: string): string {
  const safe = text.slice(0, LONGEST_CLUSTER).replace(TURNING, '')
  return safe === '' ? ' ' : safe
}

/** The same for a cell of one code point. It is asked for every cell, so quick answers come first. */
export function isTurning(code: number): boolean {
  if (code < 0xad) return false
  if (code < 0x2000) return code === 0xad || code === 0x61c || code === 0x180e
  if (code <= 0x206f) return isTurningPunctuation(code)
  return code >= 0xd800 && (code <= 0xdfff || code === 0xfeff || (code >= 0xfff9 && code <= 0xfffb))
}

const isTurningPunctuation = (code: number): boolean =>
  code === 0x200b ||
  code === 0x200e ||
  code === 0x200f ||
  (code >= 0x2028 && code <= 0x202e) ||
  code >= 0x2060

/** Only addresses that a click may open, and that cannot end the sequence they are written in; otherwise empty. */
export function safeUri(uri: string): string {
  return uri.length <= LONGEST_URI && /^(?:https?|file):\/\/[\x21-\x7e]+$/i.test(uri) ? uri : ''
}
