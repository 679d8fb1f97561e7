// Terminal output made at random of what programs send, and of what they should not: every mode that an emulator keeps,
// text of every width, sequences that are cut off, and bytes that are none.

import { type Random, seededRandom } from '../run/seeded.ts'

const CSI = '\x1b['

const TEXTS = [
  'a',
  'word ',
  '  ',
  'wörld',
  '漢',
  '漢字かな交じり文',
  'x漢漢漢漢漢漢漢漢漢漢漢漢',
  '🎉',
  '👩‍👩‍👧',
  '🇩🇪',
  '🇩',
  'e\u0301',
  '\u0301',
  '\u0301\u0302',
  '\ufe0f',
  '\u200d',
  '❤',
  '❤\ufe0f',
  '👍🏽',
  '🏽',
  'หก็',
  'हिन्दी',
  '각',
  'qqqxxxjlk',
  'x'.repeat(50),
  'y'.repeat(40),
  'the quick brown fox jumps over the lazy dog ',
  '漢'.repeat(30),
]
const CONTROLS = [
  '\r\n',
  '\r\n',
  '\n',
  '\n\n\n',
  '\r',
  '\t',
  '\t',
  '\b',
  '\b\b\b',
  '\x07',
  '\x0b',
  '\x0c',
  '\x0e',
  '\x0f',
  '\0',
]
const FINALS = [...'@ABCDEFGHIJKLMPSTXZ`abdefr']
const MODES = [
  1, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1048, 1049, 2004, 2026,
]
const LOOKS = [
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '7',
  '9',
  '21',
  '22',
  '24',
  '27',
  '31',
  '44',
  '95',
  '102',
  '53',
  '59',
  '4:3',
  '4:5',
  '38;5;9',
  '48;5;200',
  '38;2;1;2;3',
  '48;2;9;8;7',
  '38:2:255:0:255',
  '48:2::1:2:3',
  '58:2:7:8:9',
  '58:5:3',
  '1;38:2:1:2:3;4',
]
const OTHERS = [
  '\x1b7',
  '\x1b8',
  '\x1bD',
  '\x1bE',
  '\x1bM',
  '\x1bH',
  '\x1bn',
  '\x1bo',
  '\x1b=',
  '\x1b>',
  '\x1b#8',
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b*0',
  '\x1b+A',
  '\x1b(K',
  `${CSI}s`,
  `${CSI}u`,
  `${CSI}4h`,
  `${CSI}4l`,
  `${CSI}20h`,
  `${CSI}20l`,
  `${CSI}!p`,
  `${CSI}1"q`,
  `${CSI}0"q`,
  `${CSI}?J`,
  `${CSI}?K`,
  `${CSI}?2K`,
  `${CSI}?1J`,
  `${CSI}2J`,
  `${CSI}1J`,
  `${CSI}3J`,
  `${CSI}2K`,
  `${CSI}1K`,
  `${CSI}g`,
  `${CSI}3g`,
  `${CSI}2 @`,
  `${CSI}1 A`,
  `${CSI}2'}`,
  `${CSI}1'~`,
  `${CSI}2 q`,
  `${CSI}5 q`,
  `${CSI}>5u`,
  `${CSI}<u`,
  `${CSI}=2;2u`,
  `${CSI}>4;2m`,
  '\x1b]0;title\x07',
  '\x1b]8;;https://example.com/a\x1b\\',
  '\x1b]8;id=x;https://example.com/b\x07',
  '\x1b]8;;\x1b\\',
  '\x1bP$qm\x1b\\',
  '\x1b_Gdata\x1b\\',
  '\x1b^note\x1b\\',
  '\x1bc',
  `${CSI}99;99H${CSI}1J`,
]
const TORN = [
  '\x1b',
  CSI,
  `${CSI}3`,
  `${CSI}38:2:1`,
  `${CSI}?`,
  '\x1b]',
  '\x1b]0;ti',
  '\x1b]8;;http',
  '\x1bP$q',
  '\x1bX',
  '\x1b(',
  '\x18',
  '\x9b',
  '\xe6',
  '\xf0\x9f',
  '\xc3',
  '\xff',
  '\xc2\x9b',
  '\xc2\x9d0;',
  '\xc2\x90',
]

/** About so many pieces. */
export function randomStream(seed: number, pieces: number): Buffer {
  const random = seededRandom(seed)
  const parts: Buffer[] = []
  for (let n = 0; n < pieces; n++) parts.push(randomPiece(random))
  return Buffer.concat(parts)
}

function randomPiece(random: Random): Buffer {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const one = (of: readonly string[]): string => of[upTo(of.length)] ?? ''
  const kind = upTo(100)
  if (kind < 40) return Buffer.from(one(TEXTS))
  if (kind < 60) return Buffer.from(one(CONTROLS))
  if (kind < 72) return Buffer.from(`${CSI}${one(LOOKS)}m`)
  if (kind < 84)
    return Buffer.from(
      `${CSI}${upTo(4) === 0 ? '' : upTo(25)}${upTo(3) === 0 ? `;${upTo(50)}` : ''}${one(FINALS)}`,
    )
  if (kind < 90) return Buffer.from(`${CSI}?${MODES[upTo(MODES.length)]}${one(['h', 'l'])}`)
  if (kind < 98) return Buffer.from(one(OTHERS))
  return Buffer.from(one(TORN), 'latin1')
}
