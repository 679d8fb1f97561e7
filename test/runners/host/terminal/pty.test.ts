import { expect, test } from 'vitest'
import type { Exec } from '../../../../src/core/doors/spawner/exec.ts'
import { openTerminal } from '../../../../src/core/doors/spawner/open-terminal.ts'
import { type Pty, takePty } from '../../../../src/runners/host/terminal/pty.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'

const open = (script: string): Pty => openAt({ argv: ['/bin/sh', '-c', script], env: {} })

const openAt = ({ argv, env }: Pick<Exec, 'argv' | 'env'>): Pty => {
  const exec = { argv, cwd: '/', env: { PATH: process.env['PATH'] ?? '', ...env } }
  return takePty(openTerminal(exec, { columns: 80, rows: 24 }))
}

/** `pause`: milliseconds for which the reader is busy with each chunk. */
async function countOutput(script: string, pause = 0): Promise<number> {
  const pty = open(script)
  let length = 0
  pty.listen((chunk) => {
    length += chunk.length
    const until = performance.now() + pause
    while (performance.now() < until);
  })
  await pty.exited
  return length
}

test('no output is lost when the child exits at once, however often', async () => {
  const lengths: number[] = []
  for (let round = 0; round < sweptRounds(20); round++) {
    const five = Array.from({ length: 5 }, () => countOutput('head -c 200000 /dev/zero | tr "\\0" x'))
    lengths.push(...(await Promise.all(five)))
  }
  expect(lengths.filter((length) => length !== 200_000)).toEqual([])
})

test('no output is lost when the reader is slower than node-pty waits', async () => {
  expect(await countOutput('head -c 200000 /dev/zero | tr "\\0" x', 25)).toBe(200_000)
})

test('what is written word by word is read in fewer pieces, whole and in order', async () => {
  const pty = open('i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done')
  const chunks: string[] = []
  pty.listen((chunk) => chunks.push(chunk.toString()))
  await pty.exited
  expect(chunks.join('')).toBe(Array.from({ length: 3000 }, (_, n) => `${n}\r\n`).join(''))
  expect(chunks.length).toBeLessThan(300)
})

test('words, floods, silences and keys between them leave the output whole and in order', async () => {
  const program = `let n = 0
    const print = (count) => { let text = ''; while (count-- > 0) text += n++ + '\\n'; process.stdout.write(text) }
    for (const count of [1, 1, 1, 2000, 1, 1, 3, 1, 1500, 1, 2, 1, 1, 1, 4000, 1]) {
      print(count)
      await new Promise((done) => setTimeout(done, (count * 37) % 50))
    }`
  const pty = openAt({
    argv: ['/bin/sh', '-c', 'stty -echo; exec "$NODE" --input-type=module -e "$PROGRAM"'],
    env: { NODE: process.execPath, PROGRAM: program },
  })
  let keys: NodeJS.Timeout | undefined
  let text = ''
  pty.listen((chunk) => {
    text += chunk.toString()
    // Not before its first word: until then the terminal may still echo what is typed.
    keys ??= setInterval(() => pty.write('k'), 130)
  })
  await pty.exited
  clearInterval(keys)
  expect(text).toBe(Array.from({ length: 7516 }, (_, n) => `${n}\r\n`).join(''))
})

test('output from before anybody listened is handed over', async () => {
  const pty = open('echo early')
  await pty.exited
  const chunks: string[] = []
  pty.listen((chunk) => chunks.push(chunk.toString()))
  expect(chunks.join('')).toBe('early\r\n')
})

test('writing and resizing after the end do nothing', async () => {
  const pty = open('exit 4')
  expect(await pty.exited).toEqual({ exit_code: 4, exit_signal: null })
  pty.write('x')
  pty.resize(10, 10)
})
