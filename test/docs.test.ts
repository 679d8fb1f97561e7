// The README's tables are those of the code (`npm run docs` writes them anew), and the commands that it types exist.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { checkpointConfigSchema } from '../src/core/model/checkpoint-settings.ts'
import { configSchema, customRunnerSchema, uiSchema } from '../src/core/model/config.ts'
import { COMMANDS } from '../src/ui/cli/commands/commands.ts'
import { BINDINGS } from '../src/ui/screen/keys/bindings.ts'
import { resolveBindings } from '../src/ui/screen/keys/resolve-bindings.ts'
import { renewTables } from './support/run/readme-tables.ts'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')

test('the tables of the README are those of the code', () => {
  const renewed = renewTables(readFileSync(README, 'utf8'))
  if (process.env['UPDATE_DOCS']) writeFileSync(README, renewed)
  expect(readFileSync(README, 'utf8')).toBe(renewed)
})

test('every key of the configuration stands in the README', () => {
  const text = readFileSync(README, 'utf8')
  for (const key of Object.keys(configSchema.def.shape)) expect(text).toContain(key)
  for (const key of Object.keys(checkpointConfigSchema.def.shape)) expect(text).toContain(`${key} =`)
  for (const key of Object.keys(customRunnerSchema.def.shape)) expect(text).toContain(key)
  for (const key of Object.keys(uiSchema.def.shape)) expect(text).toContain(key)
})

test('the configuration that the README shows is valid', () => {
  const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(readFileSync(README, 'utf8')) ?? []
  const config = configSchema.parse(parse(example))
  expect(resolveBindings(BINDINGS, config.keys)).not.toEqual(BINDINGS)
})

test('every command that the README types exists', () => {
  const text = readFileSync(README, 'utf8').replace(/<!-- commands -->[\s\S]*<!-- \/commands -->/, '')
  const known = COMMANDS.map(({ path }) => path.join(' '))
  const typed = [...text.matchAll(/(?:^|[`(])agency ((?:worktree|agent|checkpoint) [a-z]+|[a-z]+)/gm)].map(
    ([, words]) => words,
  )
  expect(typed.length).toBeGreaterThan(10)
  for (const words of typed) expect(known).toContain(words)
})

test('the README leads to the map', () => {
  expect(readFileSync(README, 'utf8')).toContain('(src/README.md)')
})
