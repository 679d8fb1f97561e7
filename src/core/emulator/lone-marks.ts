// Marks without a character to stand on. In an emulator, such a mark may have a cell of its own; written bare to a
// terminal, it would join whatever is left of it. Pure.

/** What shows nothing by itself: joiners, variation selectors and other formats. */
const UNSEEN = /^(?:\p{Cf}|\p{Variation_Selector})+/u
/** What takes no cell by itself: marks, and the later parts of Korean syllables. */
const LONE = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7fb]/u
/** Nothing before it is one. */
const FIRST = 0x300

/** A text that begins with a mark gets a blank to stand on. */
export function withBase(text: string): string {
  if (text.charCodeAt(0) < FIRST) return text
  const seen = text.replace(UNSEEN, '')
  return seen === '' || LONE.test(seen) ? ` ${seen}` : seen
}
