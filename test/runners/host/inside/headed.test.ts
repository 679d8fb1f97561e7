import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readReportedStatus } from '../../../../src/core/changesets/status-file.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import type { Attachment } from '../../../../src/core/model/runner.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { viewInvocation } from '../../../../src/core/operations/invocations/view-invocations.ts'
import { encodeFrame } from '../../../../src/runners/host/protocol.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'
import { drawOn, openTerminal, readCells } from '../../../support/terminal/cells.ts'

const SIZE = { columns: 80, rows: 24 }

interface Viewer {
  readonly attachment: Attachment
  /** What the viewer got, in order. */
  readonly chunks: Uint8Array[]
  readonly ends: unknown[]
  text(): string
}

async function attach(run: TestInvocation, size = SIZE): Promise<Viewer> {
  const chunks: Uint8Array[] = []
  const ends: unknown[] = []
  const take = (bytes: Uint8Array) => void chunks.push(Buffer.from(bytes))
  const attachment = await run.door.attach(run.socket(), size, {
    onSnapshot: take,
    onData: take,
    onEnd: (end) => ends.push(end),
  })
  return { attachment, chunks, ends, text: () => Buffer.concat(chunks).toString() }
}

/** The recorded output, decoded. */
const recorded = (run: TestInvocation): string =>
  run
    .log('cast')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as [number, string, string])
    .flatMap(([, code, text]) => (code === 'o' ? [text] : []))
    .join('')

const start = async (script: string): Promise<TestInvocation> => {
  const run = await makeInvocation()
  await run.launch(script, { mode: 'headed' })
  return run
}

test('a terminal run is recorded with its exit code, and its pid stays the host’s', async () => {
  const run = await start('printf "héllo 界\\n"; tty; echo $TERM $COLORTERM; exit 7')
  const ended = await run.untilEnded()
  expect(ended).toMatchObject({ status: 'failed', exit_code: 7, exit_signal: null, pid: null })
  expect(recorded(run)).toMatch(/^héllo 界\r\n\/dev\/pts\/\d+\r\nxterm-256color truecolor\r\n$/)
  expect(JSON.parse(run.log('cast').split('\n')[0] ?? '')).toMatchObject({
    version: 2,
    width: 80,
    height: 24,
    env: { TERM: 'xterm-256color' },
  })
})

test('a terminal run that ends by a signal is recorded with its name', async () => {
  const run = await start('kill -KILL $$')
  expect(await run.untilEnded()).toMatchObject({ exit_code: null, exit_signal: 'SIGKILL' })
})

test('whoever attaches in the middle sees the same screen as one who saw everything', async () => {
  const run = await start(`i=0; while [ ! -e stop ]; do
      printf '\\033[3%dmline %d é界🎉\\033[m\\r\\n\\033[%d;60Hx' $((i % 8)) $i $((i % 20 + 1)); i=$((i+1)); done
    printf '\\033[?1049h\\033[5;5Hdone'; sleep 100`)
  const viewers: Viewer[] = []
  for (let count = 0; count < 5; count++) {
    const viewer = await attach(run)
    viewers.push(viewer)
    await waitUntil(() => viewer.chunks.length > 20 * count)
  }
  writeFileSync(join(showPath(run.at.tree), 'stop'), '')
  await waitUntil(() => viewers.every((viewer) => viewer.text().includes('done')))
  const whole = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(whole, recorded(run))
  for (const viewer of viewers) {
    const terminal = await openTerminal(SIZE.columns, SIZE.rows)
    await drawOn(terminal, viewer.text())
    expect(readCells(terminal)).toEqual(readCells(whole))
  }
})

test('two clients see and type into the same terminal', async () => {
  const run = await start('while read line; do echo "got $line"; done')
  const [first, second] = [await attach(run), await attach(run)]
  first.attachment.write(Buffer.from('one\r'))
  await waitUntil(() => [first, second].every((viewer) => viewer.text().includes('got one')))
  second.attachment.write(Buffer.from('two\r'))
  await run.door.send(run.socket(), Buffer.from('three\r'))
  await waitUntil(() => [first, second].every((viewer) => viewer.text().includes('got three')))
  first.attachment.detach()
  await run.door.send(run.socket(), Buffer.from('\x04'))
  await waitUntil(() => second.ends.length > 0)
  expect(second.ends).toEqual([{ exit_code: 0, exit_signal: null }])
  expect(first.ends).toEqual([])
  expect(run.record().status).toBe('finished')
})

test('a message is pasted where the runner marks pastes, so that its Enter is a key of its own', async () => {
  const run = await start('stty raw -echo; printf "\\033[?2004hready"; exec cat -v')
  await waitUntil(() => recorded(run).includes('ready'))
  await run.door.send(run.socket(), Buffer.from('go on\nwith é\r'))
  await run.door.send(run.socket(), Buffer.from('1'))
  await run.door.send(run.socket(), Buffer.from('\x1b[A\r'))
  await waitUntil(() => recorded(run).endsWith('1^[[A^M'))
  expect(recorded(run)).toMatch(/\^\[\[200~go on\nwith M-CM-\)\^\[\[201~\^M1\^\[\[A\^M$/)
})

test('a message is typed where the runner does not', async () => {
  const run = await start('stty raw -echo; printf ready; exec cat -v')
  await waitUntil(() => recorded(run).includes('ready'))
  await run.door.send(run.socket(), Buffer.from('go on\r'))
  await waitUntil(() => recorded(run).endsWith('^M'))
  expect(recorded(run)).toMatch(/readygo on\^M$/)
})

test('a change of size reaches the runner and the recording', async () => {
  const run = await start('trap "stty size" WINCH; stty size; while :; do sleep 0.02; done')
  await waitUntil(() => recorded(run).includes('24 80'))
  const { attachment } = await attach(run, { columns: 101, rows: 31 })
  await waitUntil(() => recorded(run).includes('31 101'))
  attachment.resize(90, 0)
  await waitUntil(() => recorded(run).includes('1 90'))
  expect(run.log('cast')).toMatch(/"r","101x31"\]/)
})

test('a change of size after which the runner draws nothing is told to it again', async () => {
  // It lets the first word of it pass, as one that is just starting does. Only `wait` lets go of a signal at once.
  const run = await start(`told=no; trap '[ $told = no ] && told=yes || stty size' WINCH
    sleep 100 & printf ready; while :; do wait; done`)
  await waitUntil(() => recorded(run).includes('ready'))
  await attach(run, { columns: 101, rows: 31 })
  await waitUntil(() => recorded(run).includes('31 101'))
})

test('the end of the host is told apart from the end of the runner', async () => {
  const run = await start('sleep 100')
  const viewer = await attach(run)
  process.kill(run.pid(), 'SIGKILL')
  await waitUntil(() => viewer.ends.length > 0)
  expect(viewer.ends).toEqual([null])
})

test('the answer to a question comes once, from the host, and clients never see the question', async () => {
  const run = await start(`while [ ! -e go ]; do sleep 0.01; done; stty raw -echo; printf 'ask\\033[6nend'
    dd bs=1 count=6 2>/dev/null | od -An -c; sleep 100`)
  const viewer = await attach(run)
  writeFileSync(join(showPath(run.at.tree), 'go'), '')
  await waitUntil(() => viewer.text().includes('R'))
  // What stands for the question is ignored by terminals.
  expect(viewer.text()).toContain('ask\x1b\\end')
  await waitUntil(() => /033\s+\[\s+1\s+;\s+4\s+R/.test(recorded(run)))
})

test('what the runner reports of its state is in the transcript', async () => {
  const run = await start(`printf '\\033]7501;state=blocked:kind=question\\033\\\\'`)
  await run.untilEnded()
  expect(JSON.parse(run.log('stream'))).toMatchObject({ kind: 'status', state: 'needs_input' })
})

test('what the runner reports of its state is what lists say of it, until it reports another', async () => {
  const run = await start(`printf '\\033]7501;state=done\\033\\\\'; while [ ! -e go ]; do sleep 0.02; done
    printf '\\033]7501;state=working\\033\\\\'; sleep 100`)
  const display = () =>
    viewInvocation(run.repository, run.record(), { worktree: null, stalled_after: 300 }).display
  await waitUntil(() => display() === 'ready_for_review')
  writeFileSync(join(showPath(run.at.tree), 'go'), '')
  await waitUntil(() => display() === 'working')
})

test('a runner that is known to report, and says nothing, waits for a person', async () => {
  const run = await makeInvocation()
  await run.launch('printf "Trust this folder?"; sleep 100', {
    mode: 'headed',
    plan: { reports_status: true },
  })
  await waitUntil(() => readReportedStatus(run.repository.paths, run.id) === 'needs_input')
})

test('hostile clients hurt neither the host nor each other', async () => {
  const run = await start('while read line; do echo "got $line"; done')
  const hello = encodeFrame({ type: 'hello', version: 1 })
  const attacks = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(1 << 20, 0xff),
    Buffer.from([5, 0xff, 0xff, 0xff, 0xff]),
    encodeFrame({ type: 'hello', version: 99 }),
    Buffer.concat([hello, encodeFrame({ type: 'exit', exit_code: 0, exit_signal: null })]),
    Buffer.concat([hello, Buffer.from([2, 0, 0, 0, 2, 0x7b, 0x7d])]),
  ]
  for (const attack of attacks) {
    const socket = connect(run.socket())
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {}).resume()
    socket.write(attack)
    await closed
  }
  const dripping = connect(run.socket()).on('error', () => {})
  dripping.write(hello.subarray(0, 3))
  const viewer = await attach(run)
  viewer.attachment.write(Buffer.from('still here\r'))
  await waitUntil(() => viewer.text().includes('got still here'))
  dripping.destroy()
})

test('a client that does not read is dropped, and the runner goes on at its own speed', async () => {
  const run = await start(
    'while [ ! -e stop ]; do head -c 100000 /dev/zero | tr "\\0" y; done; echo over; sleep 100',
  )
  const socket = connect(run.socket())
  const dropped = new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
  socket.write(
    Buffer.concat([
      encodeFrame({ type: 'hello', version: 1 }),
      encodeFrame({ type: 'attach', ...SIZE, scrollback: 0 }),
    ]),
  )
  socket.pause()
  const viewer = await attach(run)
  let taken = 0
  await waitUntil(() => {
    taken += viewer.chunks.splice(0).reduce((sum, chunk) => sum + chunk.length, 0)
    return taken > 8_000_000
  })
  writeFileSync(join(showPath(run.at.tree), 'stop'), '')
  await waitUntil(() => viewer.text().includes('over'))
  socket.resume()
  await dropped
  expect(viewer.ends).toEqual([])
})

test('asciinema takes the recording', async ({ skip }) => {
  const asciinema = ['/usr/bin/asciinema', process.env['ASCIINEMA'] ?? ''].find((path) => existsSync(path))
  if (asciinema === undefined) return skip('asciinema is not installed')
  const run = await start('printf "\\033[32mgreen é\\033[m\\n"; printf "\\377"')
  await run.untilEnded()
  const shown = execFileSync(asciinema, ['cat', run.at.cast], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  expect(shown).toBe('\x1b[32mgreen é\x1b[m\r\n\ufffd')
})

test('closing the terminal of whoever started it does not reach the runner', async () => {
  const run = await start('sleep 100')
  onTestFinished(() => systemProcesses().signal([run.record().host ?? { pid: 0, start_time: '' }], 'SIGKILL'))
  process.kill(run.pid(), 'SIGHUP')
  process.kill(run.pid(), 'SIGINT')
  await run.door.send(run.socket(), Buffer.from('x'))
  expect(run.record().status).toBe('running')
})
