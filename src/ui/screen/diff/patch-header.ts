// What git says about a file before its hunks. Paths are taken from lines with one path each. The first line has both
// paths and does not say where the first ends, so it is only used if there is no other line.

import type { PatchFile } from './patch-file.ts'
import { readPath, readTwin } from './quoted-path.ts'

export type PatchHeader = Omit<PatchFile, 'hunks'>

interface HeaderFacts {
  kind: PatchFile['kind']
  from: string | null
  to: string | null
  oldMode: string | null
  newMode: string | null
  binary: boolean
}

type HeaderReader = (facts: HeaderFacts, rest: string) => void

const READERS: Readonly<Record<string, HeaderReader>> = {
  'old mode ': (facts, rest) => {
    facts.oldMode = rest
  },
  'new mode ': (facts, rest) => {
    facts.newMode = rest
  },
  'new file mode ': (facts, rest) => {
    facts.kind = 'added'
    facts.newMode = rest
  },
  'deleted file mode ': (facts, rest) => {
    facts.kind = 'deleted'
    facts.oldMode = rest
  },
  'rename from ': (facts, rest) => {
    facts.kind = 'renamed'
    facts.from = readPath(rest)
  },
  'copy from ': (facts, rest) => {
    facts.kind = 'copied'
    facts.from = readPath(rest)
  },
  'rename to ': (facts, rest) => {
    facts.to = readPath(rest)
  },
  'copy to ': (facts, rest) => {
    facts.to = readPath(rest)
  },
  '--- ': (facts, rest) => {
    facts.from ??= sidePath(rest)
  },
  '+++ ': (facts, rest) => {
    facts.to ??= sidePath(rest)
  },
  'Binary files ': (facts) => {
    facts.binary = true
  },
  'GIT binary patch': (facts) => {
    facts.binary = true
  },
}

const STARTS = Object.entries(READERS)

/** `lines` have one character a byte; the first is `diff --git …`, without these words. */
export function readHeader([first = '', ...lines]: readonly string[]): PatchHeader {
  const facts: HeaderFacts = {
    kind: 'modified',
    from: null,
    to: null,
    oldMode: null,
    newMode: null,
    binary: false,
  }
  for (const line of lines) {
    const found = STARTS.find(([start]) => line.startsWith(start))
    found?.[1](facts, line.slice(found[0].length))
  }
  const { kind, from, to, oldMode, newMode, binary } = facts
  const moved = kind === 'renamed' || kind === 'copied'
  const path = to ?? from ?? readTwin(first) ?? readPath(first)
  return { kind, path, fromPath: moved ? from : null, oldMode, newMode, binary }
}

/** git ends a path that has a space with a tab, so that it can be told from a date. */
function sidePath(rest: string): string | null {
  const path = readPath(rest.replace(/\t$/, ''))
  return path === '/dev/null' ? null : path.slice(2)
}
