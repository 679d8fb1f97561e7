import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogPaths } from '../../../../src/core/facade/agency.ts'
import { runCommandLine } from '../../../../src/ui/cli/command-line.ts'
import { COMMANDS } from '../../../../src/ui/cli/commands/commands.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { FINISHED, invocationView } from '../../../support/records/records.ts'
import { memoryConsole, parseEnvelope, runCli } from '../../../support/scene/command-line.ts'
import { type RecordingAgency, recordingAgency } from '../../../support/scene/recording-agency.ts'

interface Logged {
  readonly paths: LogPaths
  readonly agency: RecordingAgency
  end(): void
}

function logged(mode: 'headed' | 'headless' = 'headless'): Logged {
  const dir = makeScratch()
  const paths = {
    raw: join(dir, 'raw.jsonl'),
    stderr: join(dir, 'stderr.log'),
    stream: join(dir, 'stream.jsonl'),
    cast: join(dir, 'session.cast'),
  }
  let end = (): void => {}
  const ended = new Promise<ReturnType<typeof invocationView>>((resolve) => {
    end = () => resolve(invocationView({ ...FINISHED, mode }))
  })
  const agency = recordingAgency({
    showInvocation: async () => invocationView({ mode }),
    logPaths: async () => paths,
    waitInvocation: () => ended,
  })
  return { paths, agency, end }
}

const said = (text: string): string =>
  `${JSON.stringify({ at: '2026-01-28T12:05:01.000Z', kind: 'text', text })}\n`

test('a transcript is readable, and a torn last line is left out', async () => {
  const { paths, agency } = logged()
  writeFileSync(paths.stream, `${said('One\nTwo')}${said('Three')}{"at":"2026-`)
  expect(await runCli(['agent', 'logs', 'b7c9'], { agency })).toEqual({
    status: 0,
    out: 'One\nTwo\nThree\n',
    err: '',
  })
})

test('--raw is verbatim into a pipe and visible on a terminal', async () => {
  const { paths, agency } = logged()
  const bytes = '{"a":1}\r\n\x1b]52;c;aGk=\x07\tnot json'
  writeFileSync(paths.raw, bytes)
  expect((await runCli(['agent', 'logs', 'b7c9', '--raw'], { agency })).out).toBe(bytes)
  const shown = await runCli(['agent', 'logs', 'b7c9', '--raw', '--no-color'], { agency, terminal: 80 })
  expect(shown.out).toBe('{"a":1}\\r\n\\x1b]52;c;aGk=\\x07    not json\n')
})

test('--stderr shows what went to standard error', async () => {
  const { paths, agency } = logged()
  writeFileSync(paths.stderr, 'warning\n')
  expect((await runCli(['agent', 'logs', 'b7c9', '--stderr'], { agency })).out).toBe('warning\n')
})

test('a headed run is read from its recording; --raw gives the recording', async () => {
  const { paths, agency } = logged('headed')
  const cast =
    '{"version":2,"width":80,"height":24}\n[0.1,"o","\\u001b[1m$ ls\\r\\n"]\n[0.2,"i","x"]\n[0.3,"o","src\\r\\n"]\n'
  writeFileSync(paths.cast, cast)
  expect((await runCli(['agent', 'logs', 'b7c9'], { agency })).out).toBe('$ ls\nsrc\n')
  expect((await runCli(['agent', 'logs', 'b7c9', '--raw'], { agency })).out).toBe(cast)
  expect((await runCli(['agent', 'logs', 'b7c9', '--stderr'], { agency })).status).toBe(2)
})

test('--follow begins before the log is there and ends with the agent', async () => {
  const { paths, agency, end } = logged()
  const console = memoryConsole({ agency })
  const done = runCommandLine(['agent', 'logs', 'b7c9', '--follow'], COMMANDS, console)
  await expect.poll(() => agency.calls.map(({ verb }) => verb)).toContain('waitInvocation')
  writeFileSync(paths.stream, said('One'))
  await expect.poll(() => console.written.out).toBe('One\n')
  const line = said('Two')
  appendFileSync(paths.stream, line.slice(0, 9))
  appendFileSync(paths.stream, line.slice(9))
  await expect.poll(() => console.written.out).toBe('One\nTwo\n')
  appendFileSync(paths.stream, said('Last'))
  end()
  expect(await done).toBe(0)
  expect(console.written.out).toBe('One\nTwo\nLast\n')
})

test('an agent that has written nothing yet is said', async () => {
  const { agency } = logged()
  expect(await runCli(['agent', 'logs', 'b7c9'], { agency })).toEqual({
    status: 0,
    out: '',
    err: 'nothing has been written yet\n',
  })
})

test('the JSON form holds the events', async () => {
  const { paths, agency } = logged()
  writeFileSync(paths.stream, said('One'))
  const ran = await runCli(['agent', 'logs', 'b7c9', '--json'], { agency })
  expect(parseEnvelope(ran).data).toMatchObject({ paths, events: [{ kind: 'text', text: 'One' }] })
  expect((await runCli(['agent', 'logs', 'b7c9', '--json', '--follow'], { agency })).status).toBe(2)
})
