// What `npm test` takes samples of, whole; and on the disk the tests of files, which it does in memory.

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { suite } from './vitest.config.ts'

process.env['TMPDIR'] ??= tmpdir()

const SWEPT = /\/(sweep-steps|kill-sweep)\.ts'/
const OF_FILES =
  /(kept-look|add-everything|capture[a-z-]*|check-out-tree|changeset|files|stamp|watcher|halves)\.test\.ts$/

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path))

export default defineConfig({
  test: {
    ...suite,
    include: tests.filter((path) => OF_FILES.test(path) || SWEPT.test(readFileSync(path, 'utf8'))),
    env: { ...suite.env, SWEEPS: 'whole' },
  },
})
