import { Terminal } from '@xterm/headless'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OuterTerminal, openOn, openTerminal } from '../../../support/processes/outer-terminal.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { waitUntil } from '../../../support/run/wait.ts'

let program: string

beforeAll(async () => {
  program = await bundleProgram('test/fixtures/terminal-program.ts')
})

/** Runs the program in a shell, which tells afterwards how the terminal was left. */
function open(env: NodeJS.ProcessEnv = {}, lent = ''): OuterTerminal {
  const script = `trap : INT; before=$(stty -g); '${process.execPath}' '${program}' '${lent}'; echo "status $?"; [ "$before" = "$(stty -g)" ] && echo same tty; echo over; exec sleep 100`
  return openTerminal('/bin/sh', ['-c', script], { ...process.env, ...env })
}

/** Resolves to the program's pid when it is ready and all of its questions are answered. */
async function ready(terminal: OuterTerminal): Promise<number> {
  await terminal.shows('ready')
  await terminal.shows('<reply of attributes>')
  return Number(/pid:(\d+):/.exec(terminal.screen())?.[1])
}

/** A terminal that answers nothing by itself, so that a test answers when it is late. */
function makeSilent(): Terminal {
  const emulator = new Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  emulator.parser.registerCsiHandler({ final: 'c' }, () => true)
  return emulator
}

async function leftAsItWas(terminal: OuterTerminal): Promise<void> {
  await terminal.shows('over')
  expect(terminal.screen()).toContain('same tty')
  expectPlain(terminal)
}

function expectPlain(terminal: OuterTerminal): void {
  expect(terminal.alternate()).toBe(false)
  expect(terminal.modes()).toMatchObject({
    mouseTrackingMode: 'none',
    bracketedPasteMode: false,
    sendFocusMode: false,
    synchronizedOutputMode: false,
    wraparoundMode: true,
  })
  const bytes = terminal.bytes()
  const count = (text: string): number => bytes.split(text).length - 1
  expect(bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?25l'))
  expect(bytes.lastIndexOf('\x1b[>4m')).toBeGreaterThan(bytes.lastIndexOf('\x1b[>4;1m'))
  expect(count('\x1b[<u')).toBe(count('\x1b[>5u'))
  expect(count('\x1b[23;0t')).toBe(count('\x1b[22;0t'))
}

function expectTaken(terminal: OuterTerminal): void {
  expect(terminal.alternate()).toBe(true)
  expect(terminal.modes()).toMatchObject({
    mouseTrackingMode: 'drag',
    bracketedPasteMode: true,
    sendFocusMode: true,
  })
}

describe('while the terminal is ours', () => {
  test('keys, mouse, pastes and new sizes are told', async () => {
    const terminal = open()
    await ready(terminal)
    expectTaken(terminal)
    expect(terminal.screen()).toContain('80x24')
    const typed = [
      ['\x03', '<ctrl+c>'],
      ['\x1b', '<escape>'],
      ['\x1b[A', '<up>'],
      ['\x1b[<0;3;4M', '<press 2,3>'],
      ['\x1b[200~x\nz\x1b[201~', '<paste of 3>'],
      ['\x1b[I', '<focus true>'],
    ] as const
    for (const [bytes, shown] of typed) {
      terminal.type(bytes)
      await terminal.shows(shown)
    }
    terminal.pty.resize(100, 30)
    await terminal.shows('now 100x30')
    terminal.type('q')
    await leftAsItWas(terminal)
    expect(terminal.screen()).toContain('closed')
    expect(terminal.screen()).toContain('status 0')
  })

  test('what the terminal tells of itself is learnt, and is no key', async () => {
    const terminal = open({ COLORFGBG: '15;0' })
    await ready(terminal)
    expect(terminal.screen()).toContain('dark')
    terminal.type('\x1b]11;rgb:ffff/ffff/ffff\x1b\\')
    await terminal.shows('light terminal')
    terminal.type('\x1b[?5u')
    await terminal.shows('<reply of keyboard>')
    terminal.type('q')
    await leftAsItWas(terminal)
  })

  test('COLORFGBG is the guess until then', async () => {
    const terminal = open({ COLORFGBG: '0;default;15' })
    await ready(terminal)
    expect(terminal.screen()).toContain('light')
    terminal.type('q')
    await leftAsItWas(terminal)
  })

  test('the clipboard is filled where the text is not too long', async () => {
    const terminal = open()
    await ready(terminal)
    terminal.type('c')
    await terminal.shows('copied true false')
    expect(terminal.bytes()).toContain(`\x1b]52;c;${Buffer.from('a text').toString('base64')}\x07`)
    terminal.type('q')
    await leftAsItWas(terminal)
  })
})

describe('the terminal is left as it was', () => {
  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const)('by %s', async (signal, status) => {
    const terminal = open()
    const pid = await ready(terminal)
    process.kill(pid, signal)
    await leftAsItWas(terminal)
    expect(terminal.screen()).toContain(`status ${status}`)
  })

  test('by an exit', async () => {
    const terminal = open()
    await ready(terminal)
    terminal.type('e')
    await leftAsItWas(terminal)
    expect(terminal.screen()).toContain('status 5')
  })

  test.each([
    ['an exception', 'x', 'Error: thrown \\x1b]0;title\\x07 by the program'],
    ['a rejection', 'r', 'Error: rejected by the program'],
  ])('by %s, which is told below', async (_, key, told) => {
    const terminal = open()
    await ready(terminal)
    terminal.type(key)
    await leftAsItWas(terminal)
    expect(terminal.screen()).toContain('The dashboard ended by an error of its own.')
    expect(terminal.screen()).toContain(told)
    expect(terminal.screen()).toContain('status 70')
  })

  test('with none of its late answers typed into the shell', async () => {
    const script = `'${process.execPath}' '${program}'; echo asking; read -r line; echo "read $line." | cat -v; echo over; exec sleep 100`
    const terminal = openOn({ file: '/bin/sh', args: ['-c', script], emulator: makeSilent() })
    terminal.type('q')
    await waitUntil(() => terminal.bytes().includes('\x1b[?1049l'))
    terminal.type('\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?5u')
    terminal.type('\x1b[?1;2c')
    await terminal.shows('asking')
    terminal.type('words\n')
    await terminal.shows('over')
    expect(terminal.screen()).toContain('read words.')
  })
})

describe('lent', () => {
  test('it is plain for the program, whose Ctrl-C is not ours, and then ours again', async () => {
    const lent =
      'trap "echo interrupted" INT; stty -a | grep -o -- "-\\?icanon"; echo yours; read -r line; echo "read $line"; read -r line; read -r line'
    const terminal = open({}, lent)
    await ready(terminal)
    terminal.type('l')
    await terminal.shows('yours')
    expectPlain(terminal)
    expect(terminal.screen()).toMatch(/^icanon$/m)
    terminal.type('qqq\n')
    await terminal.shows('read qqq')
    terminal.pty.resize(90, 20)
    terminal.type('\x03')
    await terminal.shows('interrupted')
    terminal.type('\n')
    await terminal.shows('drawn again')
    expect(terminal.screen()).toContain('now 90x20')
    expectTaken(terminal)
    terminal.type('a')
    await terminal.shows('<a>')
    terminal.type('q')
    await leftAsItWas(terminal)
  })
})

describe('stopped', () => {
  function openShell(): OuterTerminal {
    const terminal = openTerminal('/bin/sh', ['-i'], { ...process.env, PS1: 'prompt> ', ENV: '' })
    terminal.type(`before=$(stty -g); '${process.execPath}' '${program}'\n`)
    return terminal
  }

  let times = 0
  async function comesBack(terminal: OuterTerminal): Promise<void> {
    times += 1
    await waitUntil(() => !terminal.alternate())
    terminal.type(`[ "$before" = "$(stty -g)" ] && echo "in the" shell ${times}\n`)
    await terminal.shows(`in the shell ${times}`)
    expectPlain(terminal)
    terminal.type('fg\n')
    await terminal.shows('drawn again')
    expectTaken(terminal)
    terminal.type('a')
    await terminal.shows('<a>')
  }

  async function quits(terminal: OuterTerminal): Promise<void> {
    terminal.type('q')
    await terminal.shows('closed')
    terminal.type('echo "status $?"; [ "$before" = "$(stty -g)" ] && echo "same" tty; echo "o"ver\n')
    await leftAsItWas(terminal)
  }

  test.each([
    ['by the key', (terminal: OuterTerminal) => terminal.type('z')],
    ['by SIGTSTP', (_: OuterTerminal, pid: number) => process.kill(pid, 'SIGTSTP')],
  ] as const)('%s, the shell has it, and fg brings us back, twice', async (_, stop) => {
    const terminal = openShell()
    const pid = await ready(terminal)
    stop(terminal, pid)
    await comesBack(terminal)
    stop(terminal, pid)
    await comesBack(terminal)
    await quits(terminal)
  })

  test('by SIGSTOP, which nobody can prepare for, fg brings us back all the same', async () => {
    const terminal = openShell()
    const pid = await ready(terminal)
    process.kill(pid, 'SIGSTOP')
    await terminal.shows('prompt>')
    terminal.type('fg\n')
    await terminal.shows('drawn again')
    expectTaken(terminal)
    await quits(terminal)
  })

  test('in the background we wait for fg', async () => {
    const terminal = openShell()
    await ready(terminal)
    terminal.type('z')
    await waitUntil(() => !terminal.alternate())
    terminal.type('bg; echo "back"ground\n')
    await terminal.shows('background')
    await comesBack(terminal)
    await quits(terminal)
  })

  test('where no shell could let us go on, we stay', async () => {
    const terminal = openTerminal(process.execPath, [program])
    await ready(terminal)
    terminal.type('z')
    await terminal.shows('drawn again')
    expectTaken(terminal)
    terminal.type('q')
    expect((await terminal.ended).exitCode).toBe(0)
  })
})
