// The stand-in has to be believable, or what is tested with it is not.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeScratch } from '../git/repository.ts'
import { FAKE_RUNNER, installFakeRunner, transcriptPath } from './fake-runner.ts'

const start = (file: string, args: readonly string[], stdin: string | null = null) => {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(stdin ?? '')
  return child
}

async function ended(child: ReturnType<typeof start>) {
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)]
  const [code] = await once(child, 'close')
  return { stdout: await stdout, stderr: await stderr, code }
}

async function read(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

test('it replays a transcript and ends as told', async () => {
  const transcript = transcriptPath('claude-hello')
  const args = [FAKE_RUNNER, '--transcript', transcript, '--delay-ms', '1', '--stderr', 'oh', '--exit', '3']
  expect(await ended(start(process.execPath, args))).toEqual({
    stdout: readFileSync(transcript, 'utf8'),
    stderr: 'oh\n',
    code: 3,
  })
})

test('under the name of a real runner it answers for its version and records how it was called', async () => {
  const scratch = makeScratch()
  const record = join(scratch, 'record.json')
  const path = installFakeRunner(join(scratch, 'bin'), 'claude', { 'version-text': "2.1.330 (it's)", record })
  expect((await ended(start(path, ['--version']))).stdout).toBe("2.1.330 (it's)\n")
  await ended(start(path, ['-p', '--', 'a "b" $c'], 'from stdin'))
  expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({
    argv: ['-p', '--', 'a "b" $c'],
    stdin: 'from stdin',
  })
})

test('it honours SIGINT in the middle of its work', async () => {
  const transcript = transcriptPath('codex-hello')
  const child = start(process.execPath, [
    FAKE_RUNNER,
    '--transcript',
    transcript,
    '--hang',
    '--sigint-exit',
    '7',
  ])
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect((await ended(child)).code).toBe(7)
})
