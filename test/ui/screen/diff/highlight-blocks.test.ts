import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { highlightBlocks } from '../../../../src/ui/screen/diff/highlight-blocks.ts'
import { createHighlighter } from '../../../../src/ui/screen/diff/highlighter.ts'
import { parsePatch } from '../../../../src/ui/screen/diff/parse-patch.ts'
import type { PatchHunk } from '../../../../src/ui/screen/diff/patch-file.ts'
import type { Span } from '../../../../src/ui/text/line.ts'
import { plainText } from '../../../../src/ui/text/spans.ts'
import { patchOf } from '../../../support/records/diffs.ts'

function hunkOf(...lines: readonly string[]): PatchHunk {
  const [old, fresh] = ['-', '+'].map(
    (sign) => lines.filter((line) => line[0] === ' ' || line[0] === sign).length,
  )
  const hunk = parsePatch(Buffer.from(patchOf('x', `@@ -1,${old} +1,${fresh} @@`, ...lines)))[0]?.hunks[0]
  if (hunk === undefined) throw new Error('no hunk')
  return hunk
}

/** `keyword:const` for each part that has a colour. */
const colours = (spans: readonly Span[] | null): string[] =>
  (spans ?? []).flatMap((part) =>
    typeof part === 'string' ? [] : [`${part.as.replace('syntax_', '')}:${part.text}`],
  )

describe('a highlighter', () => {
  test('colours what a language is made of', async () => {
    const highlight = await createHighlighter()
    const hunk = hunkOf("+const x = f(y as number, 'a', 1) // why")
    expect(colours(highlight('src/x.ts', hunk, 0))).toEqual([
      'keyword:const',
      'function:f',
      'keyword:as',
      'type:number',
      "string:'a'",
      'number:1',
      'comment:// why',
    ])
    expect(highlight('notes.unknown', hunkOf('+const x'), 0)).toBeNull()
    expect(highlight('constructor', hunkOf('+const x'), 0)).toBeNull()
    expect(colours(highlight('Makefile', hunkOf('+# why'), 0))).toEqual(['comment:# why'])
  })

  test('reads old and new text as programs of their own', () => {
    const highlight = highlightBlocks()
    const hunk = hunkOf(' let a', '-/* old', '+/* new */', ' if (a) b()', '-*/', '+return')
    const seen = Array.from({ length: hunk.length }, (_, at) => colours(highlight('a.js', hunk, at)))
    expect(seen).toEqual([
      ['keyword:let'],
      ['comment:/* old'],
      ['comment:/* new */'],
      ['keyword:if', 'function:b'],
      ['comment:*/'],
      ['keyword:return'],
    ])
  })

  test('knows in a later block what was opened shortly before', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `+${at === 30 ? '/* open' : `line ${at}`}`)
    expect(colours(highlightBlocks()('a.c', hunkOf(...lines), 35))).toEqual(['comment:line 35'])
  })

  test('remembers', () => {
    const highlight = highlightBlocks()
    const hunk = hunkOf('+return 1')
    expect(highlight('a.js', hunk, 0)).toBe(highlight('a.js', hunk, 0))
  })

  test('leaves very long lines and blocks plain', () => {
    const highlight = highlightBlocks()
    const hunk = hunkOf(`+return '${'x'.repeat(300)}'`, '+return')
    expect(highlight('a.js', hunk, 0)).toBeNull()
    expect(colours(highlight('a.js', hunk, 1))).toEqual(['keyword:return'])
    const wide = hunkOf(...Array.from({ length: 32 }, () => `+return '${'x'.repeat(180)}'`))
    expect(highlight('a.js', wide, 3)).toBeNull()
  })

  test('gives a hunk up that takes it long', () => {
    let now = 0
    const highlight = highlightBlocks(() => (now += 80))
    const quick = hunkOf(...Array.from({ length: 64 }, () => '+return'))
    expect(highlight('a.js', quick, 0)).not.toBeNull()
    expect(highlight('a.js', quick, 40)).not.toBeNull()
    const slow = highlightBlocks(() => (now += 101))
    expect(slow('a.js', quick, 0)).not.toBeNull()
    expect(slow('a.js', quick, 40)).toBeNull()
  })

  test('never throws, and never changes the text', () => {
    const highlight = highlightBlocks()
    const ending = fc.constantFrom(
      'ts',
      'py',
      'md',
      'html',
      'css',
      'c',
      'yaml',
      'sh',
      'rb',
      'json',
      'php',
      'sql',
    )
    const code = fc.stringMatching(/^[ -~\t<>{}()'"`$#*/\\é世]{0,60}$/)
    const sign = fc.constantFrom('+', '-', ' ')
    fc.assert(
      fc.property(ending, fc.array(fc.tuple(sign, code), { minLength: 1, maxLength: 40 }), (name, lines) => {
        const hunk = hunkOf(...lines.map(([first, text]) => first + text))
        for (let at = 0; at < hunk.length; at += 1) {
          const spans = highlight(`x.${name}`, hunk, at)
          if (spans !== null) expect(plainText(spans)).toBe(hunk.line(at).text)
        }
      }),
    )
  })
})
