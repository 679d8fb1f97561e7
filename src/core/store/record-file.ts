// One record in one file. It is parsed on every read and before every write; unknown fields are kept. If it cannot be
// read, an error says why; nothing is repaired here.

import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { readTextIfThere, writeAtomic } from '../doors/system/files.ts'
import { RECORD_BOUNDS } from '../doors/system/regular-file.ts'
import { AgencyError } from '../model/errors.ts'

/** zod/mini has no error messages of its own. */
const WORDS = en().localeError

/** null where the file does not exist. Throws E_RECORD_UNREADABLE or E_RECORD_TOO_NEW. */
export function readRecord<T>(path: string, schema: z.ZodMiniType<T>): T | null {
  const text = readRecordText(path)
  return text === null ? null : parseRecord(path, text, schema)
}

/** A pipe, a link or a terabyte in the record's place is as broken as a text that cannot be parsed. */
function readRecordText(path: string): string | null {
  try {
    return readTextIfThere(path, RECORD_BOUNDS)
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_FILE_UNREADABLE') throw error
    throw unreadableRecord(path, String(error.details['why']))
  }
}

export function parseRecord<T>(path: string, text: string, schema: z.ZodMiniType<T>): T {
  const data = parseRecordText(path, text)
  const parsed = schema.safeParse(data, { error: WORDS })
  if (parsed.success) return parsed.data
  if (isNewer(data)) {
    throw new AgencyError('E_RECORD_TOO_NEW', `${path} has schema_version ${String(data.schema_version)}`, {
      details: { path },
    })
  }
  throw unreadableRecord(path, z.prettifyError(parsed.error))
}

export async function writeRecord<T>(path: string, schema: z.ZodMiniType<T>, record: T): Promise<void> {
  await writeAtomic(path, `${JSON.stringify(schema.parse(record), null, 2)}\n`)
}

export interface Derived {
  readonly field: string
  readonly found: string
  /** What the field has to be, derived from the id. */
  readonly derived: string
}

/**
 * Throws E_RECORD_UNREADABLE. Otherwise such a field could lead us to a path or branch that is not the record's own.
 */
export function requireDerived(path: string, fields: readonly Derived[]): void {
  const wrong = fields.find(({ found, derived }) => found !== derived)
  if (wrong === undefined) return
  throw unreadableRecord(path, `its ${wrong.field} is ${wrong.found} and should be ${wrong.derived}`)
}

function parseRecordText(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadableRecord(path, text.trim() === '' ? 'it is empty' : String(error))
  }
}

const unreadableRecord = (path: string, why: string): AgencyError =>
  new AgencyError('E_RECORD_UNREADABLE', `${path}: ${why}`, { details: { path } })

function isNewer(data: unknown): data is { schema_version: unknown } {
  if (typeof data !== 'object' || data === null || !('schema_version' in data)) return false
  return Number.parseFloat(String(data.schema_version)) > 1
}
