import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Rect } from '../../src/ui/screen/scene.ts'
import { enterModes, questionsFor } from '../../src/ui/screen/tty/terminal-modes.ts'
import { type DashboardWindow, KEYS, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { looksOf } from '../support/terminal/cell-looks.ts'
import { foreignBytes, TURNING } from '../support/terminal/output-grammar.ts'

const CSI = '\x1b['
const LONG_LINE = 10 << 20
/** A key must be answered within so many frames, while agents print as fast as they can. */
const MOST_FRAMES = 20

const ATTACKS: Readonly<Record<string, string | Buffer>> = {
  titles: '\x1b]0;owned\x07\x1b]2;owned\x1b\\\x1b]1;owned\x07\x1b[22;0t\x1b[23;0t\x1bkowned\x1b\\',
  'a title with sequences': '\x1b]2;\u009b31m\u202e{bold}title│┐\x07',
  clipboard: `\x1b]52;c;${Buffer.from('owned').toString('base64')}\x07\x1b]52;p;?\x1b\\`,
  'mouse, paste and focus modes':
    '\x1b[?9h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?1016h\x1b[?2004h\x1b[?1004h\x1b[>31u\x1b[>4;2m\x1b[?1h\x1b=',
  'modes off': '\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[?7l\x1b[?25l\x1b[<9u\x1b[?12l',
  resets: '\x1bc\x1b[!p\x1b[61"p\x1b[?3h\x1b[?40h\x1b#8',
  'alternate screens': '\x1b[?1049h\x1b[?47h\x1b[?1047h\x1b[2J\x1b[?1048halternate\x1b[?1049l\x1b[?1049h',
  'windows and questions':
    '\x1b[8;10;10t\x1b[3;0;0t\x1b[2t\x1b[18t\x1b[c\x1b[>c\x1b[6n\x1b]11;?\x07\x1b]4;1;#000000\x07',
  'bytes that are no UTF-8': Buffer.from([
    0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f, 0x92, 0xed, 0xa0, 0x80, 0xc0, 0xaf, 0x80,
  ]),
  '8-bit controls': Buffer.from('\x9b31m\x9b2J\x9d0;owned\x9c\x90q\x9c\x84\x85\x8d\x9bH\x9b?1049h', 'latin1'),
  'controls of 8 bits in UTF-8': '\u009b31m\u009d0;owned\u009c\u0085\u008d',
  tags: '{bold}{red-fg}{/}{center}{|}{escape}{open}tags{close}{/red-fg}{/bold}',
  'endless marks': `a${'\u0301'.repeat(20_000)}${'👩\u200d'.repeat(2_000)}`,
  regions: `${CSI}3;5r${CSI}?6h${CSI}?69h${CSI}2;4s${CSI}99S${CSI}99T${CSI}99L${'\n'.repeat(50)}\x1bM\x1bM\x1bM`,
  'huge movements': `${CSI}99999;99999Hx${CSI}99999999999Cx${CSI}99999A${CSI}2147483648Bx${CSI}4294967297d${CSI}-5;-5Hx`,
  'huge amounts': `x${CSI}99999b${CSI}99999@${CSI}99999P${CSI}99999X${CSI}99999M${CSI}99999I${CSI}99999Z`,
  links:
    '\x1b]8;;https://example.com/\x01\x07a\x1b]8;id=x;javascript:owned\x1b\\b\x1b]8;;http://a/\u009b31m\x1b\\c',
  'strings without an end': '\x1bPq#0;2;0;0;0~\x1b_Gi=1;AAAA\x1b^owned\x1b]0;owned',
  charsets: '\x1b(0\x1b)0\x0e\x1bnqqqq\x1b#3\x1b#6\x1b%@',
  turning: '\u202eabc\u2066def\u200fghi',
}

/** Prints the files 0, 1, 2 … as soon as each is there. */
const puppet = (directory: string): string => `
  stty -echo
  n=0
  while :; do
    while [ ! -e '${directory}/'$n ]; do sleep 0.02; done
    cat '${directory}/'$n
    n=$((n+1))
  done`

function pullStrings(directory: string): (bytes: string | Buffer) => void {
  let number = 0
  return (bytes) => {
    writeFileSync(join(directory, 'next'), bytes)
    renameSync(join(directory, 'next'), join(directory, String(number)))
    number += 1
  }
}

/** The text outside of the agent's place. The spinner and the ages are masked, because they go on. */
function around({ emulator, size, places }: DashboardWindow): string[] {
  const [place = { x: 0, y: 0, width: 0, height: 0 }] = places(1)
  const text = (y: number, from: number, to: number): string =>
    (emulator.buffer.active.getLine(y)?.translateToString(false, from, to) ?? '')
      .replace(/[⠀-⣿]/g, '*')
      .replace(/ *\d+[smh](?= )/g, ' AGE')
      .replace(/ +/g, ' ')
  return Array.from({ length: size.rows }, (_, y) =>
    y < place.y ? text(y, 0, place.x) : text(y, 0, place.x) + text(y, place.x + place.width, size.columns),
  ).slice(0, -1)
}

/** The cells that never change, with their colours. */
function frameAround({ emulator, size, places }: DashboardWindow): string[][][] {
  const [place = { x: 0, y: 0, width: 0, height: 0 }] = places(1)
  const { columns, rows } = size
  const strips: Rect[] = [
    { x: 0, y: 0, width: place.x, height: 1 },
    { x: 0, y: rows - 2, width: columns, height: 1 },
    { x: place.x - 2, y: 0, width: 2, height: rows - 1 },
    { x: columns - 1, y: 0, width: 1, height: rows - 1 },
  ]
  return strips.map((strip) => looksOf(emulator, strip))
}

interface Watched {
  readonly titles: string[]
  readonly copied: string[]
}

/** Notes what a terminal would do besides drawing. */
function watch({ emulator }: DashboardWindow): Watched {
  const watched: Watched = { titles: [], copied: [] }
  emulator.onTitleChange((title) => watched.titles.push(title))
  emulator.parser.registerOscHandler(52, (data) => watched.copied.push(data) > 0)
  return watched
}

/** After the modes of the beginning, nothing but cells may be written. */
function expectOnlyCells(dashboard: DashboardWindow): void {
  const begun = enterModes({ mouse: true, title: 'agency: repo' }) + questionsFor({})
  const bytes = dashboard.bytes()
  expect(bytes.startsWith(begun)).toBe(true)
  // The last frame may not be complete yet.
  const rest = bytes.slice(begun.length, bytes.lastIndexOf('\x1b[?2026l') + '\x1b[?2026l'.length)
  expect(JSON.stringify(foreignBytes(rest))).toBe('""')
  expect(TURNING.test(rest)).toBe(false)
}

const frames = (dashboard: DashboardWindow): number => dashboard.bytes().split('\x1b[?2026h').length

/** The key opens the help within a bounded number of frames, and Esc closes it. */
async function answersKeys(dashboard: DashboardWindow): Promise<void> {
  const before = frames(dashboard)
  dashboard.type('?')
  await dashboard.shows('type to search')
  const opened = frames(dashboard)
  expect(opened - before).toBeLessThan(MOST_FRAMES)
  dashboard.type('\x1b')
  await dashboard.until(() => !dashboard.screen().includes('type to search'), 'no help')
}

async function startHeaded(desk: Desk, prompt: string): Promise<void> {
  await desk.data(
    'agent',
    'start',
    '--worktree',
    'feature',
    '--runner',
    'shell',
    '--detached',
    '--prompt',
    prompt,
  )
}

test('whatever an agent prints stays in its pane, and keys are answered', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  await startHeaded(desk, puppet(desk.scratch))
  const print = pullStrings(desk.scratch)
  const dashboard = await openDashboardWindow(desk)
  const watched = watch(dashboard)
  await dashboard.shows('working')
  dashboard.type(KEYS.down)
  print('ready to attack')
  await dashboard.shows('ready to attack')
  // This is the last part of the detail to come.
  await dashboard.shows('the runner was started')
  const before = { text: around(dashboard), frame: frameAround(dashboard), modes: dashboard.modes() }

  for (const [name, attack] of Object.entries(ATTACKS)) {
    print(attack)
    print(`\x18\x1b\\\x1bcafter ${name}`)
    await dashboard.shows(`after ${name}`)
    expect(around(dashboard), name).toEqual(before.text)
    expect(frameAround(dashboard), name).toEqual(before.frame)
    expect(dashboard.modes(), name).toEqual(before.modes)
  }
  print('\x1bc\x1b[?2026ha frame without an end')
  await dashboard.shows('a frame without an end')
  print(`\x1bc${'x'.repeat(LONG_LINE)}\r\n`)
  await dashboard.shows('xxxxxxxx')
  await answersKeys(dashboard)
  print('the end of it')
  await dashboard.shows('the end of it')
  expect(around(dashboard)).toEqual(before.text)
  expect(frameAround(dashboard)).toEqual(before.frame)
  expectOnlyCells(dashboard)
  expect(watched).toEqual({ titles: ['agency: repo'], copied: [] })
})

const OWNED = '\x1b]0;owned\x07\x1b[2J\x1b[31m{red-fg}'
/** The same, written for the printf of sh. */
const PRINTED = '\\033]0;owned\\007\\033[2J\\033[31m{red-fg}\\302\\233'
const SCRIPT = `
  file="$(printf 'file${PRINTED}')"
  printf 'text${PRINTED}' >"$file"
  printf 'more${PRINTED}' >>README.md
  git add -A
  git commit -qm "$(printf 'subject${PRINTED}')"
  printf 'dirt${PRINTED}' >"$file.dirt"
  printf 'said${PRINTED}\\n'
  : '${OWNED}'`

test('names, prompts, files, commits and logs that hold sequences are shown, and change nothing', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const started = ['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--headless', '--detached']
  const { invocation } = await desk.data<{ invocation: { invocation_id: string } }>(
    ...[...started, '--name', 'name{bold}│', '--prompt', SCRIPT],
  )
  await desk.run(['agent', 'wait', invocation.invocation_id])
  const dashboard = await openDashboardWindow(desk)
  const watched = watch(dashboard)
  await dashboard.shows('name{bold}│')
  const modes = dashboard.modes()
  dashboard.type(KEYS.down)
  await dashboard.shows('said\\x1b]0;owned')
  for (const [keys, shown] of [
    ['l', 'said\\x1b]0;owned\\x07'],
    ['v', 'said\\x1b]0;owned\\x07'],
    ['d', 'text\\x1b]0;owned\\x07'],
    ['t', 'subject\\x1b]0'],
  ] as const) {
    dashboard.type(keys)
    await dashboard.shows(shown)
  }
  await answersKeys(dashboard)
  expectOnlyCells(dashboard)
  expect(watched).toEqual({ titles: ['agency: repo'], copied: [] })
  expect(dashboard.modes()).toEqual(modes)
})
