// Paths as git gives them: bytes, not text. Each byte becomes one character, so that a name that is not UTF-8 can be
// looked at, compared and handed back to git unchanged.

/** The fields of -z output, one character per byte. */
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

/** As text for people: decoded as UTF-8 with invalid bytes replaced. */
export const showRaw = (raw: string): string => rawBytes(raw).toString('utf8')

/** The raw path of a text that was decoded as UTF-8. */
export const rawOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
