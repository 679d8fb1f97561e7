// Terminal output that uses everything that a terminal can be asked to draw, for screens of 100x30.

import { seededRandom } from '../run/seeded.ts'

const CSI = '\x1b['
const COLUMNS = 100

const row = (y: number, text: string): string => `${CSI}${y};1H${text}${CSI}m`
const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

const ramps = (): string =>
  times(24, (y) =>
    row(
      y + 1,
      times(COLUMNS, (x) => {
        const [red, green, blue] = [Math.floor(x * 2.55), (y * 10) % 256, (x * y) % 256]
        return `${CSI}${y % 2 === 0 ? 48 : 38};2;${red};${green};${blue}m${y % 3 === 0 ? '▀' : ' '}`
      }),
    ),
  )

const palettes = (): string =>
  row(
    1,
    times(16, (index) => `${CSI}${index < 8 ? 30 + index : 82 + index}mA${CSI}38;5;${index}mB${CSI}m`),
  ) +
  row(
    2,
    times(16, (index) => `${CSI}${index < 8 ? 40 + index : 92 + index}mA${CSI}48;5;${index}mB${CSI}m`),
  ) +
  times(4, (y) =>
    row(
      3 + y,
      times(64, (x) => `${CSI}48;5;${y * 64 + x};38;5;${255 - y * 64 - x}mx`),
    ),
  )

const ATTRIBUTES = [1, 2, 3, 4, 5, 7, 8, 9, 21, 53, '4:2', '4:3', '4:4', '4:5', '1;2', '1;2;3;4;5;7;9;53']
const attributes = (): string =>
  row(1, ATTRIBUTES.map((code) => `${CSI}${code}m[${code}]${CSI}m`).join('')) +
  row(2, ATTRIBUTES.map((code) => `${CSI}${code}m[${code}]`).join('')) +
  row(
    3,
    [22, 23, 24, 25, 27, 28, 29, 55].map((off) => `${CSI}1;2;3;4;5;7;8;9;53m+${CSI}${off}m${off}`).join(''),
  ) +
  row(4, `${CSI}4;58;2;9;8;7ma${CSI}4:3;58;5;9mb${CSI}59mc${CSI}58:2::1:2:3md${CSI}24me`)

const wide = (): string =>
  row(1, '漢字かな交じり文 한국어 ｆｕｌｌ ｱｲｳ') +
  row(2, '漢'.repeat(50)) +
  row(3, `x${'漢'.repeat(50)}`) +
  `${CSI}6;100H漢x` +
  `${CSI}8;99H漢${CSI}8;99Hy${CSI}9;98H漢${CSI}9;99Hz` +
  `${CSI}10;1H漢字漢字${CSI}10;2H|${CSI}10;5H|` +
  `${CSI}12;1H漢字漢字${CSI}12;3H${CSI}P${CSI}13;1H漢字${CSI}13;2H${CSI}2@${CSI}14;1H漢字${CSI}14;2H${CSI}X`

const clusters = (): string =>
  row(1, '😀🚀✅❌⭐⚡🧠🫠🦀 ⚠️ ❤️ 🏗️ ☺ ☺️ ©️ 1️⃣ ok') +
  row(2, '👩‍💻👨‍👩‍👧‍👦🏳️‍🌈🇫🇷🇯🇵👍🏽🏴󠁧󠁢󠁥󠁮󠁧󠁿 end') +
  row(3, 'e\u0301 a\u0308 n\u0303 o\u0302\u0323 \u0301alone ก็ं हिन्दी العربية שלום 각') +
  row(4, `${CSI}41m👩‍💻${CSI}42m👍🏽${CSI}m🇩🇪🇩`) +
  `${CSI}6;99H👩‍💻${CSI}7;100H👍🏽x${CSI}8;1H👩‍💻${CSI}8;2Hx`

const boxes = (): string =>
  row(1, '╭──────────╮│ ✻ Welcome! │⎿  ⏺ ● ○ ✓ ✗ … ─ █ ▓▒░ ⠋⠙⠹⠸ ▶▷◀ ←↑→↓ ┏┓┗┛ ╔═╗') +
  row(2, '\x1b(0lqqqqk x mj `afgnotuvw\x1b(B ascii \\ ~ ` { | }') +
  row(3, '\x1b)0\x0elqk\x0f plain \x1b(0x\x1b7\x1b(B')

const erasing = (): string =>
  times(20, (y) => row(y + 1, 'abcdefghij'.repeat(10))) +
  `${CSI}48;2;40;44;52m${CSI}2;30H${CSI}K${CSI}3;30H${CSI}1K${CSI}4;5H${CSI}2K${CSI}5;10H${CSI}20X${CSI}m` +
  `${CSI}6;3H${CSI}5P${CSI}7;3H${CSI}5@${CSI}44m${CSI}8;1H${CSI}3L${CSI}15;1H${CSI}2M${CSI}m${CSI}18;50H${CSI}J` +
  `${CSI}45m${CSI}10;10H${CSI}1J${CSI}m`

const regions = (): string =>
  times(30, (y) => row(y + 1, `row ${y}`)) +
  `${CSI}5;15r${CSI}15;1H${CSI}41m\n\n\n${CSI}5;1H\x1bM\x1bM${CSI}m${CSI}2S${CSI}3T` +
  `${CSI}?6h${CSI}2;2Horigin${CSI}?6l${CSI}r${CSI}30;1Hlast\r\nscrolled\r\nagain`

const tabs = (): string =>
  `a\tb\tc\r\n${CSI}3g${CSI}5G\x1bH${CSI}20G\x1bH\rx\ty\tz\r\n${CSI}2I<${CSI}Z>\r\n\x1bc1\t2\t3`

const screens = (): string =>
  `first screen${CSI}?1049h${CSI}2J${CSI}H${CSI}42msecond${CSI}K${CSI}m${CSI}?25l${CSI}?1049l${CSI}?25h back` +
  `${CSI}?1047h${CSI}3;3Hthird${CSI}4 q`

const links = (): string =>
  `\x1b]8;;https://example.com/a\x1b\\one\x1b]8;;https://example.com/b\x07two\x1b]8;;\x1b\\three ` +
  `${CSI}4;31m\x1b]8;id=x;file:///desk/a%20b\x1b\\four${CSI}m five\x1b]8;;\x1b\\ six`

const wrapping = (): string =>
  `${'w'.repeat(100)}|${'x'.repeat(99)}漢y\r\n${CSI}?7l${'z'.repeat(120)}${CSI}?7h\r\n${'q'.repeat(100)}`

const POOL = [
  'a',
  'Z',
  '漢',
  '😀',
  'é',
  '│',
  '한',
  '⏺',
  '🫠',
  ' ',
  '0',
  '👩‍💻',
  'e\u0301',
  '\r\n',
  '\x1bM',
  `${CSI}K`,
]
function noise(): string {
  const random = seededRandom(7)
  const upTo = (limit: number): number => Math.floor(random() * limit)
  return times(3000, () => {
    const look = upTo(3) === 0 ? `${CSI}${[0, 1, 2, 3, 4, 7, 9, 22, 24, 27][upTo(10)]}m` : ''
    const colour =
      upTo(4) === 0 ? `${CSI}${upTo(2) === 0 ? 38 : 48};2;${upTo(256)};${upTo(256)};${upTo(256)}m` : ''
    const place = upTo(9) === 0 ? `${CSI}${1 + upTo(30)};${1 + upTo(COLUMNS)}H` : ''
    return place + look + colour + (POOL[upTo(POOL.length)] ?? '')
  })
}

const frames = (): string =>
  times(12, (n) => `${CSI}?2026h${CSI}H${CSI}2J${CSI}${n + 2};${n * 3 + 1}Hframe ${n}${CSI}?2026l`)

export const SYNTHETIC_STREAMS: Readonly<Record<string, string>> = {
  'ramps of 24 bits': ramps(),
  'palettes of 16 and 256': palettes(),
  'every attribute': attributes(),
  'wide characters': wide(),
  'clusters and marks': clusters(),
  'box and line drawing': boxes(),
  'erasing, inserting, deleting': erasing(),
  'scroll regions': regions(),
  tabs: tabs(),
  'both screens': screens(),
  links: links(),
  wrapping: wrapping(),
  'frames in synchronized output': frames(),
  noise: noise(),
}
