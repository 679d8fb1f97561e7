// Configuration as people write it, and as a repository may bring it.

import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../../src/core/model/config.ts'
import { loadConfig } from '../../../src/core/store/read-config.ts'
import { makeScratch, writeFiles } from '../../support/git/repository.ts'

interface Files {
  readonly own?: string
  readonly repository?: string
}

function load({ own, repository }: Files): Config {
  const root = makeScratch()
  if (own !== undefined) writeFiles(root, { 'config/agency/config.toml': own })
  if (repository !== undefined) writeFiles(root, { 'repo/.agency.toml': repository })
  return loadConfig({ XDG_CONFIG_HOME: join(root, 'config') }, join(root, 'repo'))
}

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'E_CONFIG_INVALID', message: expect.stringMatching(message) })

test('without files there are the defaults', () => {
  expect(load({})).toEqual({ default_runner: 'claude', keep_discarded: 14, stalled_after: 300 })
  expect(loadConfig({ HOME: makeScratch() }, null)).toEqual(load({}))
})

test('every key can be set', () => {
  const own = `
    editor = "vi"
    default_runner = "mine"
    keep_discarded = 0
    stalled_after = 60
    [runners.mine]
    headless = ["mine", "{prompt}"]
    headed = ["mine"]
    stream = "codex"
    env = { QUIET = "1" }
    models = { big = "big-9" }
    [keys]
    "invocation.land" = "ctrl+l"
    move.down = ["down", "j"]
    anywhere.quit = false
    [ui]
    mouse = false
    theme = "light"
    ascii = true
  `
  expect(load({ own })).toMatchObject({
    editor: 'vi',
    keep_discarded: 0,
    runners: { mine: { headless: ['mine', '{prompt}'], stream: 'codex', models: { big: 'big-9' } } },
    keys: { 'invocation.land': 'ctrl+l', move: { down: ['down', 'j'] }, anywhere: { quit: false } },
    ui: { mouse: false, theme: 'light', ascii: true },
  })
})

test('the nearer file wins', () => {
  const own = 'default_runner = "codex"\nstalled_after = 60'
  expect(load({ own, repository: 'default_runner = "shell"' })).toMatchObject({
    default_runner: 'shell',
    stalled_after: 60,
  })
})

describe('a mistake is named with its place', () => {
  test.each<[string, RegExp]>([
    ['editor = "vi"\nkeep = = 3', /config\.toml: line 2, column 8: invalid value/],
    ['keep_discardet = 3', /config\.toml: keep_discardet: there is no such key/],
    ['[runners.mine]\nheadles = ["x"]', /: runners\.mine\.headles: there is no such key/],
    ['keep_discarded = "3"', /: keep_discarded: expected a number/],
    ['keep_discarded = -1', /: keep_discarded: expected at least 0/],
    ['[runners]\nmine = 3', /: runners\.mine: expected a table/],
    ['[runners.mine]\nheadless = []', /: runners\.mine\.headless: expected at least 1 element/],
    ['[runners.mine]\nheadless = ["a", 2]', /: runners\.mine\.headless\.1: expected a string/],
    ['[runners.mine]\nstream = "xml"', /: runners\.mine\.stream: expected one of claude, codex, text/],
    ['[runners.Mine]\nheadless = ["a"]', /: runners\.Mine: a name of a runner has lowercase letters/],
    [
      '[keys]\n"new.agent" = 3',
      /: keys\.new\.agent: expected a key such as "ctrl\+l", a list of keys, or false/,
    ],
    ['[keys.new]\nagent = [3]', /: keys\.new: expected a key such as/],
    ['[ui]\ntheme = "pink"', /: ui\.theme: expected one of auto, dark, light/],
    ['__proto__ = { x = 1 }', /: __proto__: there is no such key/],
  ])('%j', (own, message) => {
    expect(() => load({ own })).toThrow(refusal(message))
  })
})

describe('a repository', () => {
  test.each([
    'editor = "rm -rf ~"',
    'keep_discarded = 0',
    '[runners.x]\nheadless = ["x"]',
    'editor.x = 1',
    'keys.new.agent = "k"',
    'ui.mouse = false',
  ])('may not set %j', (repository) => {
    expect(() => load({ repository })).toThrow(
      refusal(
        /\.agency\.toml: a repository may not set \w+; it may set default_runner, default_environment, stalled_after/,
      ),
    )
  })

  test('has its mistakes named too', () => {
    expect(() => load({ repository: 'stalled_after = "soon"' })).toThrow(
      refusal(/\.agency\.toml: stalled_after: expected a number/),
    )
  })

  test('cannot lead us to another file, block us or flood us', () => {
    const env = { XDG_CONFIG_HOME: makeScratch() }
    const [linked, piped, large] = [makeScratch(), makeScratch(), makeScratch()]
    symlinkSync('/etc/passwd', join(linked, '.agency.toml'))
    execFileSync('mkfifo', [join(piped, '.agency.toml')])
    writeFiles(large, { '.agency.toml': '#'.repeat(1024 * 1024 + 1) })
    expect(() => loadConfig(env, linked)).toThrow(refusal(/it is a link/))
    expect(() => loadConfig(env, piped)).toThrow(refusal(/it is a named pipe/))
    expect(() => loadConfig(env, large)).toThrow(refusal(/no more than 1048576 bytes are read/))
  })
})

test('a file that cannot be read is an error, not a default', () => {
  const root = makeScratch()
  writeFiles(root, { 'agency/config.toml/in-its-place': '' })
  chmodSync(root, 0o700)
  expect(() => loadConfig({ XDG_CONFIG_HOME: root }, null)).toThrow(refusal(/it is a directory/))
})
