// The README's tables are the code's tables. `npm run docs` writes them anew.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointConfigSchema } from '../src/core/model/checkpoint-settings.ts'
import { configSchema, customRunnerSchema } from '../src/core/model/config.ts'
import { COMMANDS } from '../src/ui/cli/commands.ts'
import { renewTables } from './support/readme-tables.ts'

const README = join(import.meta.dirname, '..', 'README.md')

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
