// Paths as git writes them in a patch: unchanged, or quoted as in C if they have a quote, a backslash or a control
// character.

import { showRaw } from '../../../core/model/raw-bytes.ts'

const QUOTED = /^"(?:[^"\\]|\\.)*"/
const ESCAPE = /\\([0-7]{3}|.)/g
const NAMED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
}

/** `raw` has one character a byte. The path is decoded, for people. */
export function readPath(raw: string): string {
  return showRaw(QUOTED.test(raw) ? unquotePath(raw.slice(1, -1)) : raw)
}

/** The path, if `a/x b/x` has the same path twice. Otherwise nothing tells where the first ends: null. */
export function readTwin(raw: string): string | null {
  const quoted = QUOTED.exec(raw)?.[0]
  const first = quoted ?? raw.slice(0, (raw.length - 1) / 2)
  const second = raw.slice(first.length + 1)
  const path = readPath(first).slice(2)
  return readPath(second).slice(2) === path ? path : null
}

const unquotePath = (text: string): string =>
  text.replace(ESCAPE, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (NAMED[code] ?? code),
  )
