// Which files may come back from git otherwise than they lie there: those that git converts when it stores them or
// writes them. Told by attributes and settings alone, and for line ends by the file's bytes.

import type { Git } from '../../../doors/effects.ts'
import { rawFields, rawInput } from '../../../model/raw-bytes.ts'

/**
 * What of a file may come back otherwise: nothing (`plain`), nothing if it holds no CRLF (`line ends`), or more
 * (`doubtful`).
 */
export type Conversion = 'plain' | 'line ends' | 'doubtful'

/** By raw path. */
export type Conversions = ReadonlyMap<string, Conversion>

export async function sortByConversion(git: Git, paths: readonly string[]): Promise<Conversions> {
  if (paths.length === 0) return new Map()
  const [settings, attributes] = await Promise.all([readLineEnds(git), readAttributes(git, paths)])
  if (attributes === null || settings === 'odd') return new Map(paths.map((path) => [path, 'doubtful']))
  return new Map(paths.map((path) => [path, kindOf(attributes.get(path) ?? new Map(), settings)]))
}

/** What git does to a text file. `odd`: it may do something to any file. */
type LineEnds = 'plain' | 'to LF' | 'to CRLF' | 'odd'

const SETTINGS = '^core\\.(autocrlf|eol|filemode|symlinks|precomposeunicode)$'

async function readLineEnds(git: Git): Promise<LineEnds> {
  const said = await git.fields(['config', '-z', '--get-regexp', SETTINGS], { answers: [1] })
  const last = new Map(
    said.map((entry): [string, string] => {
      const end = entry.indexOf('\n')
      return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1).toLowerCase()]
    }),
  )
  const is = (key: string, values: readonly string[]): boolean => {
    const value = last.get(key)
    return value !== undefined && values.includes(value)
  }
  const isOdd = is('core.filemode', NO) || is('core.symlinks', NO) || is('core.precomposeunicode', YES)
  if (isOdd) return 'odd'
  if (is('core.autocrlf', YES) || is('core.eol', ['crlf'])) return 'to CRLF'
  return is('core.autocrlf', ['input']) ? 'to LF' : 'plain'
}

const YES = ['true', 'yes', 'on', '1']
const NO = ['false', 'no', 'off', '0', '']

const ATTRIBUTES = ['filter', 'working-tree-encoding', 'ident', 'text', 'eol', 'crlf'] as const

type Attributes = ReadonlyMap<string, string>

/** Those that are said of a path; null where git cannot say. */
async function readAttributes(
  git: Git,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes> | null> {
  const asked = await git.run(['check-attr', '-z', '--stdin', ...ATTRIBUTES], {
    input: rawInput(paths),
    // Otherwise git writes each line by itself, and wakes us for it.
    env: { GIT_FLUSH: '0' },
    answers: [128],
  })
  if (asked.exitCode !== 0) return null
  const fields = rawFields(asked.stdout)
  const found = new Map<string, Map<string, string>>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', attribute = '', value = ''] = fields.slice(at, at + 3)
    if (value === 'unspecified') continue
    found.set(path, (found.get(path) ?? new Map<string, string>()).set(attribute, value))
  }
  return found
}

function kindOf(said: Attributes, settings: LineEnds): Conversion {
  const isSaid = (name: string): boolean => (said.get(name) ?? 'unset') !== 'unset'
  if (isSaid('filter') || isSaid('working-tree-encoding') || isSaid('ident')) return 'doubtful'
  const text = said.get('text') ?? said.get('crlf')
  if (text === 'unset') return 'plain'
  if (said.get('eol') === 'crlf') return 'doubtful'
  if (text === undefined && !isSaid('eol') && settings === 'plain') return 'plain'
  if (said.get('eol') === 'lf' || text === 'input') return 'line ends'
  return settings === 'to CRLF' ? 'doubtful' : 'line ends'
}
