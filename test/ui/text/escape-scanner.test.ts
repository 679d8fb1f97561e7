import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EscapeScanner, type TerminalToken } from '../../../src/ui/text/escape-scanner.ts'
import { ScreenFilter } from '../../../src/ui/text/screen-filter.ts'
import { TerminalText } from '../../../src/ui/text/terminal-text.ts'

const pieces = fc.array(
  fc.constantFrom(
    'text',
    '\x1b',
    '[',
    ']',
    'P',
    '52;c;aGk=',
    '0;title',
    '\x07',
    '\x1b\\',
    '\x9b',
    '31m',
    '?1049',
    'h',
    'l',
    '6n',
    'c',
    '\n',
    '\r',
    '>1u',
    '?u',
    '\x9d',
    '\x9c',
    '\x18',
    '8;;http://x',
    '世',
    ' q',
    '?25',
  ),
)

/** Joins neighbouring pieces of text, because it does not matter where they are cut. */
function joined(tokens: readonly TerminalToken[]): TerminalToken[] {
  const all: TerminalToken[] = []
  for (const token of tokens) {
    const last = all.at(-1)
    if (last?.kind !== 'text' || token.kind !== 'text') all.push(token)
    else all.splice(-1, 1, { kind: 'text', text: last.text + token.text })
  }
  return all
}

test('where chunks are cut makes no difference', () => {
  fc.assert(
    fc.property(pieces, (chunks) => {
      const whole = new EscapeScanner().scan(chunks.join(''))
      const scanner = new EscapeScanner()
      const parts = chunks
        .join('')
        .split('')
        .flatMap((char) => scanner.scan(char))
      expect(joined(parts)).toEqual(joined(whole))
    }),
  )
})

test('sequences come apart into what they are', () => {
  expect(new EscapeScanner().scan('a\x1b[1;31mb\x1b]0;t\x07\x1b7\x07\x9b?25l')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'csi', prefix: '', params: '1;31', intermediates: '', final: 'm' },
    { kind: 'text', text: 'b' },
    { kind: 'string', introducer: ']', body: '0;t' },
    { kind: 'escape', text: '7' },
    { kind: 'control', char: '\x07' },
    { kind: 'csi', prefix: '?', params: '25', intermediates: '', final: 'l' },
  ])
})

test('a string that never ends is given up instead of held for ever', () => {
  const scanner = new EscapeScanner()
  expect(scanner.scan(`\x1b]52;${'x'.repeat(2 << 20)}`)).toEqual([])
  expect(scanner.scan('after')).toEqual([{ kind: 'text', text: 'after' }])
})

const pass = (text: string): string => new ScreenFilter().filter(text).output

test.each([
  ['clipboard', '\x1b]52;c;aGk=\x07'],
  ['palette question', '\x1b]11;?\x1b\\'],
  ['cursor question', '\x1b[6n'],
  ['device question', '\x1b[c\x1b[>c\x1b[=c\x1bZ'],
  ['window report', '\x1b[21t'],
  ['window move', '\x1b[3;0;0t'],
  ['mode question', '\x1b[?2026$p'],
  ['version question', '\x1b[>q'],
  ['keyboard question', '\x1b[?u'],
  ['device string', '\x1bP$qm\x1b\\'],
  ['graphics', '\x1b_Gi=1;AAAA\x1b\\'],
  ['printing', '\x1b[5i'],
  ['locked keyboard', '\x1b[2h'],
  ['132 columns', '\x1b[?3h'],
  ['enquiry', '\x05'],
  ['8-bit clipboard', '\x9d52;c;aGk=\x9c'],
  ['leaving our screen', '\x1b[?1049l'],
])('%s does not reach the terminal', (_, sequence) => {
  expect(pass(`a${sequence}b`)).toBe('ab')
})

test.each([
  '\x1b[1;38;2;1;2;3m',
  '\x1b[10;20H',
  '\x1b[?25l',
  '\x1b[?1000;1006h',
  '\x1b[>1u',
  '\x1b[<u',
  '\x1b[2 q',
  '\x1b(0',
  '\x1b[K',
  '\r\n',
])('the picture gets through: %j', (sequence) => {
  expect(pass(sequence)).toBe(sequence)
})

test('titles get through without what could end them early', () => {
  expect(pass('\x1b]0;my \u0085title\x07')).toBe('\x1b]0;my \\x85title\x1b\\')
})

test('a second screen is cleared and not entered, and leaving it asks for the first one', () => {
  const filter = new ScreenFilter()
  expect(filter.filter('\x1b[?1049;25h')).toEqual({ output: '\x1b[2J\x1b[?25h', redraw: false })
  expect(filter.filter('\x1b[?1049l')).toEqual({ output: '', redraw: true })
})

test('whatever an agent prints, the terminal is neither asked anything nor taken to another screen', () => {
  fc.assert(
    fc.property(pieces, (chunks) => {
      const filter = new ScreenFilter()
      const output = chunks.map((chunk) => filter.filter(chunk).output).join('')
      const tokens = new EscapeScanner().scan(output)
      return tokens.every((token) => {
        if (token.kind === 'string') return token.introducer === ']' && /^[0128];/.test(token.body)
        if (token.kind !== 'csi') return true
        const asks = 'cntx'.includes(token.final) || (token.prefix === '?' && token.final === 'u')
        return !asks && !(token.prefix === '?' && /(?:^|;)(?:47|1047|1049)(?:;|$)/.test(token.params))
      })
    }),
  )
})

test('a shell session reads as it looked', () => {
  const terminal = new TerminalText()
  const lines = [
    ...terminal.feed('\x1b[?2004h$ ls\r\n\x1b[01;34msrc\x1b[0m  te'),
    ...terminal.feed('st\r\n\x1b]0;title\x07loading 10%\rloading 100%\r\nab\bc\x1b[3Cd\r\n'),
    ...terminal.feed('$ '),
    ...terminal.end(),
  ]
  expect(lines).toEqual(['$ ls', 'src  test', 'loading 100%', 'ac   d', '$'])
})

test('text at other places of a full screen comes out as lines of its own', () => {
  const terminal = new TerminalText()
  expect([...terminal.feed('\x1b[2J\x1b[1;1Hone\x1b[5;1Htwo\x1b[9G\x1b[1mx'), ...terminal.end()]).toEqual([
    'one',
    'two     x',
  ])
})
