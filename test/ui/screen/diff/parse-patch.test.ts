import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showRaw } from '../../../../src/core/model/raw-bytes.ts'
import { parseRawDiff } from '../../../../src/core/model/raw-diff.ts'
import { parsePatch } from '../../../../src/ui/screen/diff/parse-patch.ts'
import type { PatchFile, PatchHunk, PatchLine } from '../../../../src/ui/screen/diff/patch-file.ts'
import { applyEdit, edits } from '../../../support/git/random-edits.ts'
import { git, makeRepository, makeScratch } from '../../../support/git/repository.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'

const linesOf = ({ hunks }: PatchFile): PatchLine[] =>
  hunks.flatMap((hunk) => Array.from({ length: hunk.length }, (_, at) => hunk.line(at)))

const brief = ({ kind, old, new: fresh, text }: PatchLine): string =>
  `${{ context: ' ', added: '+', removed: '-', note: '\\' }[kind]} ${old ?? '.'} ${fresh ?? '.'} ${text}`

const parse = (text: string): PatchFile[] => parsePatch(Buffer.from(text, 'latin1'))

describe('a patch', () => {
  test('is read into files, hunks and numbered lines', () => {
    const [file, ...more] = parse(
      [
        'diff --git a/src/x.ts b/src/x.ts',
        'index 1..2 100644',
        '--- a/src/x.ts',
        '+++ b/src/x.ts',
        '@@ -3,3 +3,4 @@ function x() {',
        ' same',
        '-old',
        '+new',
        '+more',
        ' end',
        '@@ -90 +91,0 @@',
        '-last',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    )
    expect(more).toEqual([])
    expect(file).toMatchObject({ kind: 'modified', path: 'src/x.ts', fromPath: null, binary: false })
    expect(file?.hunks.map(({ heading, oldStart, newCount }) => [heading, oldStart, newCount])).toEqual([
      ['function x() {', 3, 4],
      ['', 90, 0],
    ])
    expect(linesOf(file as PatchFile).map(brief)).toEqual([
      '  3 3 same',
      '- 4 . old',
      '+ . 4 new',
      '+ . 5 more',
      '  5 6 end',
      '- 90 . last',
      '\\ . .  No newline at end of file',
    ])
  })

  test('says of each file what became of it', () => {
    const files = parse(
      [
        'diff --git a/old name b/new name',
        'similarity index 100%',
        'rename from old name',
        'rename to new name',
        'diff --git a/run b b/run b',
        'old mode 100644',
        'new mode 100755',
        'diff --git "a/\\"q\\"\\ttab\\\\\\303\\251" "b/\\"q\\"\\ttab\\\\\\303\\251"',
        'new file mode 100644',
        'index 0..0',
        'diff --git a/pic.png b/pic.png',
        'index 1..2 100644',
        'GIT binary patch',
        'literal 3',
        'Kcmb=diff --git a/no b/no',
        '@@ -1 +1 @@',
        '',
        'literal 0',
        'HcmV?d00001',
        '',
        'diff --git a/x.bin b/x.bin',
        'deleted file mode 100644',
        'index 1..0',
        'Binary files a/x.bin and /dev/null differ',
        'diff --git a/sp ace b/sp ace',
        'deleted file mode 120000',
        '--- a/sp ace\t',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-target',
        '',
      ].join('\n'),
    )
    expect(
      files.map(({ kind, path, fromPath, oldMode, newMode, binary, hunks }) =>
        [kind, fromPath, path, oldMode, newMode, binary ? 'binary' : '', `${hunks.length}`]
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual([
      'renamed old name new name 0',
      'modified run b 100644 100755 0',
      'added "q"\ttab\\é 100644 0',
      'modified pic.png binary 0',
      'deleted x.bin 100644 binary 0',
      'deleted sp ace 120000 1',
    ])
  })

  test('is not led astray by lines that look like its own', () => {
    const [file, ...more] = parse(
      [
        'diff --git a/x b/x',
        '--- a/x',
        '+++ b/x',
        '@@ -1,3 +1,5 @@',
        '--- a/evil',
        '+++ b/evil',
        '+@@ -1 +1 @@',
        ' diff --git a/evil b/evil',
        ' ',
        '+GIT binary patch',
        '',
      ].join('\n'),
    )
    expect(more).toEqual([])
    expect(linesOf(file as PatchFile).map(({ text }) => text)).toEqual([
      '-- a/evil',
      '++ b/evil',
      '@@ -1 +1 @@',
      'diff --git a/evil b/evil',
      '',
      'GIT binary patch',
    ])
  })

  test('of a line of a megabyte costs its beginning, cut between characters', () => {
    const [file] = parsePatch(
      Buffer.from(`diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+${'é'.repeat(5e5)}x\n+short\r\n`),
    )
    const [long, short] = linesOf(file as PatchFile)
    expect(long).toMatchObject({ cut: true, text: 'é'.repeat(1000) })
    expect(short).toMatchObject({ cut: false, text: 'short\r' })
  })

  test('that is cut off anywhere, or is none, throws nothing', () => {
    const whole = Buffer.from(
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f\n a\n-b\n+c\n\\ No newline\ndiff --git "a/\\t" "b/\\t"\nold mode 1\n',
    )
    for (let end = 0; end <= whole.length; end += 1) parsePatch(whole.subarray(0, end)).map(linesOf)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parsePatch(bytes).map(linesOf)))
  })
})

describe('a patch of git', () => {
  const LINE = fc.constantFrom(
    'same',
    'other',
    '',
    '-- a/x',
    '++ b/x',
    '@@ -1,2 +1,2 @@',
    'diff --git a/x b/x',
    '\\ No newline at end of file',
    'crlf\r',
    'GIT binary patch',
    '\tcaf\xe9',
  )
  const content = fc
    .tuple(fc.array(LINE, { maxLength: 14 }), fc.boolean())
    .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''))

  test('makes the new text of the old one', () => {
    const scratch = makeScratch()
    const [before, after] = [join(scratch, 'before'), join(scratch, 'after')]
    fc.assert(
      fc.property(content, content, fc.integer({ min: 0, max: 3 }), (old, fresh, around) => {
        writeFileSync(before, old, 'latin1')
        writeFileSync(after, fresh, 'latin1')
        const files = parsePatch(diffFiles([`-U${around}`, before, after]))
        expect(files.length).toBe(old === fresh ? 0 : 1)
        expect(files[0] === undefined ? old : rebuild(old, files[0])).toBe(
          old === fresh ? old : Buffer.from(fresh, 'latin1').toString('utf8'),
        )
      }),
      { numRuns: sweptRounds(60) },
    )
  })

  test('names the files and counts the lines as git itself does', () => {
    const root = makeRepository(join(makeScratch(), 'r'), {
      a: 'one\ntwo\n',
      'd/a': 'x\n',
      'src/x.ts': 'y\n',
    })
    fc.assert(
      fc.property(edits, (made) => {
        git(root, 'checkout', '-q', '-f', 'main')
        git(root, 'clean', '-qfdx')
        for (const edit of made) applyEdit(root, edit)
        git(root, 'add', '-A')
        const range = ['main', git(root, 'write-tree')]
        const show = (...args: string[]): Buffer =>
          execFileSync('git', ['-c', 'core.quotePath=false', 'diff-tree', '-r', ...args, ...range], {
            cwd: root,
          })
        const expected = parseRawDiff(show('--raw', '-z', '-M', '--numstat'))
        const files = parsePatch(show('-p', '-M', '--binary')).filter(
          (file, at, all) => all[at - 1]?.path !== file.path,
        )
        expect(files.map(({ path, fromPath }) => [path, fromPath])).toEqual(
          expected.changes.map(({ path, from_path }) => [showRaw(path), from_path && showRaw(from_path)]),
        )
        git(root, 'reset', '-q', '--hard')
      }),
      { numRuns: sweptRounds(25) },
    )
  })
})

function diffFiles(args: readonly string[]): Buffer {
  try {
    return execFileSync('git', ['diff', '--no-index', '--text', ...args])
  } catch (error) {
    return (error as { stdout: Buffer }).stdout
  }
}

/** The new text, made of what the hunks say and of the old text between them. */
function rebuild(old: string, { hunks }: PatchFile): string {
  const before =
    Buffer.from(old, 'latin1')
      .toString('utf8')
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  const made: string[] = []
  let at = 0
  for (const hunk of hunks) {
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1
    const lines = withBreaks(hunk)
    expect(lines.filter((line) => line.old !== null).map(({ text }) => text)).toEqual(
      before.slice(start, start + hunk.oldCount),
    )
    made.push(...before.slice(at, start))
    for (const line of lines.filter((one) => one.new !== null)) {
      made.push(line.text)
      expect(line.new).toBe(made.length)
    }
    at = start + hunk.oldCount
  }
  return [...made, ...before.slice(at)].join('')
}

/** The lines with their line breaks, except where a note says that there is none. */
function withBreaks(hunk: PatchHunk): PatchLine[] {
  const lines = Array.from({ length: hunk.length }, (_, at) => hunk.line(at))
  return lines
    .map((line, at) => (lines[at + 1]?.kind === 'note' ? line : { ...line, text: `${line.text}\n` }))
    .filter(({ kind }) => kind !== 'note')
}
