// What a person's terminal sends: bytes, and then nothing more.

import { chordOf, type InputEvent } from '../../../src/ui/screen/input/input-event.ts'
import { createInputParser } from '../../../src/ui/screen/input/input-parser.ts'

/** The events of all chunks, and of the silence after them. */
export function readInput(...chunks: readonly (string | Uint8Array)[]): InputEvent[] {
  const parser = createInputParser()
  const events = chunks.flatMap((chunk) => parser.push(Buffer.from(chunk)))
  return [...events, ...parser.flush()]
}

/** Keys as chords, everything else by its kind. */
export const readChords = (input: string | Uint8Array): string[] =>
  readInput(input).map((event) => (event.kind === 'key' ? chordOf(event) : event.kind))

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
