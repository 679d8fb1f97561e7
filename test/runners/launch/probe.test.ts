// Whether a runner can be used here. Real executables on a PATH of the test's own are asked.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findProgram } from '../../../src/core/doors/system/find-program.ts'
import type { Availability } from '../../../src/core/model/runner.ts'
import { CLAUDE_MINIMUM } from '../../../src/runners/claude/claude.ts'
import { CODEX_MINIMUM } from '../../../src/runners/codex/codex.ts'
import { askVersion, isOlder } from '../../../src/runners/launch/version.ts'
import { runnerCatalog } from '../../../src/runners/registry.ts'
import { makeScratch, writeFiles } from '../../support/git/repository.ts'
import { installFakeRunner } from '../../support/runners/fake-runner.ts'

interface Place {
  readonly bin: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

function makePlace(): Place {
  const root = makeScratch()
  const place = { bin: join(root, 'bin'), home: join(root, 'home') }
  mkdirSync(place.bin)
  mkdirSync(place.home)
  return { ...place, env: { PATH: place.bin, HOME: place.home } }
}

const probe = (name: string, env: NodeJS.ProcessEnv): Promise<Availability> =>
  runnerCatalog({}).get(name).probe(env)

function script(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

const RUNNERS = [
  { name: 'claude', minimum: CLAUDE_MINIMUM, key: 'ANTHROPIC_API_KEY', install: '@anthropic-ai/claude-code' },
  { name: 'codex', minimum: CODEX_MINIMUM, key: 'OPENAI_API_KEY', install: '@openai/codex' },
] as const

describe.each(RUNNERS)('$name', ({ name, minimum, key, install }) => {
  test('is ready with its path and version', async () => {
    const { bin, env } = makePlace()
    const executable = installFakeRunner(bin, name, { 'version-text': `${name} ${minimum} (x)` })
    expect(await probe(name, { ...env, [key]: 'x' })).toEqual({
      state: 'ready',
      executable,
      version: minimum,
    })
  })

  test('missing, it says what to type', async () => {
    expect(await probe(name, makePlace().env)).toEqual({
      state: 'unavailable',
      code: 'E_RUNNER_MISSING',
      message: expect.stringContaining(`there is no '${name}' on PATH`),
      hint: `npm install -g ${install}`,
    })
  })

  test('too old, it names both versions', async () => {
    const { bin, env } = makePlace()
    installFakeRunner(bin, name, { 'version-text': '0.9.9' })
    const answer = await probe(name, { ...env, [key]: 'x' })
    expect(answer).toMatchObject({ state: 'unavailable', code: 'E_RUNNER_TOO_OLD' })
    expect(answer).toMatchObject({ message: expect.stringMatching(`0\\.9\\.9.*${minimum}`) })
  })

  test('without an account it says how to log in', async () => {
    const { bin, env } = makePlace()
    installFakeRunner(bin, name)
    expect(await probe(name, env)).toMatchObject({
      state: 'unavailable',
      code: 'E_RUNNER_NO_ACCOUNT',
      hint: expect.stringContaining('log'),
    })
  })

  test('broken, it repeats what the program said', async () => {
    const { bin, env } = makePlace()
    script(join(bin, name), 'echo "native binary not installed" >&2; exit 1')
    expect(await probe(name, { ...env, [key]: 'x' })).toMatchObject({
      code: 'E_RUNNER_MISSING',
      message: expect.stringMatching(/exited with 1: native binary not installed/),
    })
  })

  test('with a version in no known form it is taken', async () => {
    const { bin, env } = makePlace()
    installFakeRunner(bin, name, { 'version-text': 'nightly' })
    expect(await probe(name, { ...env, [key]: 'x' })).toMatchObject({ state: 'ready', version: null })
  })
})

describe('an account', () => {
  const isReady = async (
    name: string,
    file: string | null,
    env: NodeJS.ProcessEnv = {},
  ): Promise<boolean> => {
    const place = makePlace()
    installFakeRunner(place.bin, name)
    const [path, text] = file === null ? [] : [file.split(' ')[0] ?? '', file.slice(file.indexOf(' ') + 1)]
    if (path !== undefined) writeFiles(place.home, { [path]: text ?? '' })
    return (await probe(name, { ...place.env, ...env })).state === 'ready'
  }

  test.each([
    '.claude/.credentials.json {}',
    '.claude.json {"oauthAccount":{}}',
    '.claude.json torn {"primaryApiKey":',
    '.claude/settings.json {"apiKeyHelper":"get-key"}',
    '.claude/settings.json {"env":{"CLAUDE_CODE_USE_BEDROCK":"1"}}',
  ])('of claude: %s', async (file) => {
    expect(await isReady('claude', file)).toBe(true)
  })

  test.each([
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_VERTEX',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
  ])('of claude: %s', async (name) => {
    expect(await isReady('claude', null, { [name]: '1' })).toBe(true)
    expect(await isReady('claude', null, { [name]: '' })).toBe(false)
  })

  test('of claude is none that was merely started once', async () => {
    expect(await isReady('claude', '.claude.json {"firstStartTime":"2026"}')).toBe(false)
  })

  test.each([
    '.codex/auth.json {}',
    '.codex/config.toml model_provider = "mine"',
    '.codex/config.toml cli_auth_credentials_store = "keyring"',
  ])('of codex: %s', async (file) => {
    expect(await isReady('codex', file)).toBe(true)
  })

  test('of codex is no setting of another kind', async () => {
    expect(await isReady('codex', '.codex/config.toml model = "x"')).toBe(false)
    expect(await isReady('codex', null, { CODEX_API_KEY: 'x' })).toBe(true)
  })
})

test('the shell is always there', async () => {
  expect(await probe('shell', {})).toMatchObject({ state: 'ready', version: null })
})

describe('a program', () => {
  test('is found by name, path and home', () => {
    const { bin, home, env } = makePlace()
    const named = script(join(bin, 'agent'), '')
    const own = script(join(home, 'tools/agent'), '')
    expect(findProgram('agent', env)).toBe(named)
    expect(findProgram(named, {})).toBe(named)
    expect(findProgram('~/tools/agent', env)).toBe(own)
  })

  test('is neither a directory nor a file that may not be executed', () => {
    const { bin, env } = makePlace()
    mkdirSync(join(bin, 'folder'))
    writeFileSync(join(bin, 'text'), '', { mode: 0o644 })
    expect(findProgram('folder', env)).toBeNull()
    expect(findProgram('text', env)).toBeNull()
    expect(findProgram('nowhere', env)).toBeNull()
  })

  test('is not looked for in the directory where one happens to be', () => {
    expect(findProgram('package.json', { PATH: `.:${process.cwd()}/..:` })).toBeNull()
    expect(findProgram('./node', { PATH: '/usr/bin' })).toBeNull()
  })
})

describe('the version', () => {
  test('is not waited for long, nor are the children that hold the pipe', async () => {
    const scratch = makeScratch()
    const pidFile = join(scratch, 'pid')
    const silent = script(join(scratch, 'silent'), `sleep 60 & echo $! > '${pidFile}'; wait`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const asked = askVersion(silent, process.env, 300)
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\n$/)
    vi.advanceTimersByTime(300)
    expect(await asked).toEqual({ kind: 'silent' })
    await expect.poll(() => isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
  })

  test('of something that is no program is not given', async () => {
    const path = join(makeScratch(), 'broken')
    writeFileSync(path, '#!/no/such/interpreter\n', { mode: 0o755 })
    expect(await askVersion(path, process.env)).toMatchObject({ kind: 'broken' })
    rmSync(path)
    expect(await askVersion(path, process.env)).toMatchObject({ kind: 'broken' })
  })

  test.each([
    ['1.2.3', '1.2.3', false],
    ['1.2.2', '1.2.3', true],
    ['1.10.0', '1.9.9', false],
    ['0.99.99', '1.0.0', true],
    ['2.0.0', '1.9.9', false],
  ])('%s against %s: older is %s', (version, minimum, older) => {
    expect(isOlder(version, minimum)).toBe(older)
  })
})

/** A zombie has ended, although its parent has not looked yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
