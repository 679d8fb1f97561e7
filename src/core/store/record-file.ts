// One record in one file: parsed on every read, parsed before every write, unknown fields kept. What cannot be read is
// an error that says why; nothing is repaired here.

import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { readTextIfThere, writeAtomic } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'

/** zod/mini comes without words of its own. */
const WORDS = en().localeError

/** null where the file does not exist. Throws E_RECORD_UNREADABLE or E_RECORD_TOO_NEW. */
export function readRecord<T>(path: string, schema: z.ZodMiniType<T>): T | null {
  const text = readTextIfThere(path)
  return text === null ? null : parseRecord(path, text, schema)
}

export function parseRecord<T>(path: string, text: string, schema: z.ZodMiniType<T>): T {
  const data = parseJson(path, text)
  const parsed = schema.safeParse(data, { error: WORDS })
  if (parsed.success) return parsed.data
  if (isNewer(data)) {
    throw new AgencyError('E_RECORD_TOO_NEW', `${path} has schema_version ${String(data.schema_version)}`, {
      details: { path },
    })
  }
  throw unreadable(path, z.prettifyError(parsed.error))
}

export async function writeRecord<T>(path: string, schema: z.ZodMiniType<T>, record: T): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(schema.parse(record), null, 2)}\n`)
}

export interface Derived {
  readonly field: string
  readonly found: string
  /** What the field must be, by the id. */
  readonly derived: string
}

/** Throws E_RECORD_UNREADABLE: by such a field a record would lead us to a path or a branch that is not its own. */
export function requireDerived(path: string, fields: readonly Derived[]): void {
  const wrong = fields.find(({ found, derived }) => found !== derived)
  if (wrong === undefined) return
  throw unreadable(path, `its ${wrong.field} is ${wrong.found} and should be ${wrong.derived}`)
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(path, text.trim() === '' ? 'it is empty' : String(error))
  }
}

const unreadable = (path: string, why: string): AgencyError =>
  new AgencyError('E_RECORD_UNREADABLE', `${path}: ${why}`, { details: { path } })

function isNewer(data: unknown): data is { schema_version: unknown } {
  if (typeof data !== 'object' || data === null || !('schema_version' in data)) return false
  return Number.parseFloat(String(data.schema_version)) > 1
}
