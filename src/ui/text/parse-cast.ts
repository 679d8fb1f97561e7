// Reads the recording of a headed run (asciicast v2): what the terminal was sent, event by event.

/**
 * The output in one line of the file; null for the header, for other kinds of event, and for a line that cannot be
 * read.
 */
export function parseCastOutput(line: string): string | null {
  try {
    const event: unknown = JSON.parse(line)
    if (!Array.isArray(event) || event[1] !== 'o' || typeof event[2] !== 'string') return null
    return event[2]
  } catch {
    return null
  }
}
