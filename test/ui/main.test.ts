import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM as program } from '../support/processes/cli.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))

const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })

test('the version is that of the package', () => {
  expect(run('--version')).toMatchObject({ status: 0, stdout: `agency ${version}\n`, stderr: '' })
  expect(run('-V').stdout).toBe(`agency ${version}\n`)
})

test('the version is told though nothing but the way in is there', () => {
  const alone = mkdtempSync(join(tmpdir(), 'agency-alone-'))
  onTestFinished(() => rmSync(alone, { recursive: true }))
  cpSync(program, join(alone, 'agency.cjs'))
  const ran = spawnSync(process.execPath, [join(alone, 'agency.cjs'), '--version'], { encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
})

test('help is told without opening a repository', () => {
  const ran = spawnSync(process.execPath, [program, '--help'], { cwd: '/', encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(ran.stdout).toContain('Usage: agency')
})

test('an exit status and the whole output reach the caller', () => {
  const ran = run('help', 'exit-codes')
  expect(ran.status).toBe(0)
  expect(ran.stdout.trimEnd().split('\n').at(-1)).toBe('130  ended by Ctrl-C; agents go on')
  expect(run('frobnicate').status).toBe(2)
})

test('a reader that goes away is no error', async () => {
  const child = spawn(
    'sh',
    ['-c', `'${process.execPath}' '${program}' help exit-codes 2>&1 >&3 | true; echo over`],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
  child.stdio[3]?.destroy()
  let said = ''
  child.stdout?.on('data', (data) => {
    said += data
  })
  await new Promise((resolve) => child.on('close', resolve))
  expect(said).toBe('over\n')
})
