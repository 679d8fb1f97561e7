// Colours code in blocks of lines, when a line of the block is first shown. Some lines before the block are read with
// it, to know what was opened there. Old and new text are read separately, because each is a program by itself.

import { common, createLowlight } from 'lowlight'
import type { Span } from '../../text/line.ts'
import type { Highlighter } from './highlighter.ts'
import type { LineKind, PatchHunk } from './patch-file.ts'
import { readSyntax } from './syntax-spans.ts'

const BLOCK = 32
const BEFORE = 16
/** Characters. Longer lines are data, or nobody reads them. */
const LONGEST = 200
/** Characters of a block. The time of some grammars grows with the cube of the length. */
const MOST = 5000
/** Milliseconds for a block. If it takes longer, the whole hunk stays without colours, because a person is waiting. */
const PATIENCE = 100

/** Languages by whole names of files, where the ending does not tell. */
const NAMES = new Map(
  Object.entries({
    makefile: 'makefile',
    gnumakefile: 'makefile',
    gemfile: 'ruby',
    rakefile: 'ruby',
    '.bashrc': 'bash',
    '.profile': 'bash',
    '.zshrc': 'bash',
    vue: 'xml',
    svelte: 'xml',
  }),
)

type Coloured = ReadonlyMap<number, readonly Span[]>
const PLAIN: Coloured = new Map()

/** `clock` gives milliseconds. */
export function highlightBlocks(clock: () => number = () => performance.now()): Highlighter {
  const lowlight = createLowlight(common)
  const blocks = new WeakMap<PatchHunk, Map<number, Coloured>>()

  const givenUp = new WeakSet<PatchHunk>()

  const colour = (path: string, hunk: PatchHunk, block: number): Coloured => {
    const language = languageOf(path)
    if (givenUp.has(hunk) || !lowlight.registered(language)) return PLAIN
    const start = clock()
    try {
      return colourBlock(hunk, block, (text) => readSyntax(lowlight.highlight(language, text).children))
    } catch {
      // A grammar is no parser: if it fails on a text, that is shown without colours.
      return PLAIN
    } finally {
      if (clock() - start > PATIENCE) givenUp.add(hunk)
    }
  }

  return (path, hunk, at) => {
    const known = blocks.get(hunk) ?? new Map<number, Coloured>()
    blocks.set(hunk, known)
    const block = Math.floor(at / BLOCK)
    const coloured = known.get(block) ?? colour(path, hunk, block)
    known.set(block, coloured)
    return coloured.get(at) ?? null
  }
}

function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.') + 1)
  return NAMES.get(name) ?? NAMES.get(ending) ?? ending
}

type ColourText = (text: string) => readonly (readonly Span[])[]

/** The lines of the block, by their place in the hunk. Lines that both sides have get the colours of the new side. */
function colourBlock(hunk: PatchHunk, block: number, colour: ColourText): Coloured {
  const old = readSide(hunk, block, 'added')
  const fresh = readSide(hunk, block, 'removed')
  return new Map([
    ...(old.some(({ kind }) => kind === 'removed') ? colourSide(old, colour) : []),
    ...colourSide(fresh, colour),
  ])
}

function colourSide(side: readonly SideLine[], colour: ColourText): [at: number, spans: readonly Span[]][] {
  const text = side.map((line) => line.text).join('\n')
  if (text.length > MOST) return []
  const lines = colour(text)
  return side.flatMap(({ at, text }, index) => (text === '' ? [] : [[at, lines[index] ?? [text]]]))
}

interface SideLine {
  readonly at: number
  readonly kind: LineKind
  readonly text: string
}

function readSide(hunk: PatchHunk, block: number, skipped: LineKind): SideLine[] {
  const lines: SideLine[] = []
  const end = Math.min(hunk.length, (block + 1) * BLOCK)
  for (let at = Math.max(0, block * BLOCK - BEFORE); at < end; at += 1) {
    const { kind, text } = hunk.line(at)
    if (kind === skipped || kind === 'note') continue
    lines.push({ at, kind, text: text.length > LONGEST ? '' : text })
  }
  return lines
}
