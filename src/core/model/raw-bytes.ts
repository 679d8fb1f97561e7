// Paths as git gives them: bytes, not text. One byte becomes one character, so that a name that is not UTF-8 survives
// being looked at, compared and handed back to git.

/** The fields of -z output, byte for character. */
export function rawFields(output: Buffer): string[] {
  const fields = output.toString('latin1').split('\0')
  if (fields.at(-1) === '') fields.pop()
  return fields
}

/** Back to bytes, as -z input. */
export const rawInput = (fields: readonly string[]): Buffer =>
  Buffer.from(fields.map((field) => `${field}\0`).join(''), 'latin1')

/** The bytes of a raw path. */
export const rawBytes = (raw: string): Buffer => Buffer.from(raw, 'latin1')

/** For people: decoded as UTF-8, invalid bytes replaced. */
export const showRaw = (raw: string): string => rawBytes(raw).toString('utf8')

/** From text that was decoded as UTF-8. */
export const rawOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
