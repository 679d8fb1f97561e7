// Which files are secrets, by their names alone. A glob has to match the whole name: `foo.environment.ts` is no `.env`.
// Pure.

import { showRaw } from './raw-bytes.ts'

export const DENYLIST = ['.env', '.env.*', '*.key', '*.pem', 'credentials.json', 'secrets.json'] as const

/**
 * The result takes a raw path. `more` are the person's own patterns, with `*`, `?` and `[abc]`; case does not matter.
 */
export function compileDenylist(more: readonly string[]): (path: string) => boolean {
  const names = [...DENYLIST, ...more].map(toExpression)
  const anyOf = new RegExp(`^(?:${names.join('|')})$`, 'isu')
  return (path) => anyOf.test(showRaw(path.slice(path.lastIndexOf('/') + 1)))
}

function toExpression(glob: string): string {
  const parts = glob.match(/\[[^\]]+\]|[\s\S]/gu) ?? []
  return parts.map(partToExpression).join('')
}

function partToExpression(part: string): string {
  if (part === '*') return '.*'
  if (part === '?') return '.'
  if (part.length < 2 || !part.startsWith('[')) return literally(part)
  const negated = /^\[[!^]/.test(part)
  const inside = part.slice(negated ? 2 : 1, -1).replace(/[\\\]^[]/g, '\\$&')
  const set = `[${negated ? '^' : ''}${inside}]`
  return inside !== '' && isExpression(set) ? set : literally(part)
}

/** False for what is no regular expression, such as `[z-a]`. */
function isExpression(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== ''
  } catch {
    return false
  }
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
