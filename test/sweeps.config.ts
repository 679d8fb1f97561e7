// Runs whole what `npm test` takes samples of. Runs the tests of files on the disk, which `npm test` does in memory.
// Runs what is done with sandboxes on the other kind of sandbox too, with samples of its own.

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { suite } from './vitest.config.ts'

process.env['TMPDIR'] ??= tmpdir()

const SWEPT = /\/(sweep-steps|kill-sweep|sampled)\.ts'/
const OF_FILES =
  /(kept-look|add-everything|capture[a-z-]*|check-out-tree|changeset|files|stamp|watcher|halves)\.test\.ts$/

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path))

const SWEPT_TESTS = tests.filter((path) => OF_FILES.test(path) || SWEPT.test(readFileSync(path, 'utf8')))

/** All that is done with a sandbox. It is tested once more with sandboxes that have a repository of their own. */
const OF_SANDBOXES = ['sandboxes', 'checkpoints', 'diagnosis', 'history', 'landing'].map(
  (room) => `test/core/operations/${room}/**/*.test.ts`,
)

const { globalSetup, maxWorkers, ...each } = suite

export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    projects: [
      {
        test: {
          ...each,
          name: 'swept',
          include: SWEPT_TESTS,
          env: { ...suite.env, SWEEPS: 'whole', SAMPLES: 'whole' },
        },
      },
      {
        test: {
          ...each,
          name: 'copies',
          include: [...OF_SANDBOXES, 'test/core/changesets/worktree/tree-changeset.test.ts'],
          // The commits of this test are never brought home from its sandbox.
          exclude: ['**/replay-edits.test.ts'],
          env: { ...suite.env, TEST_CHANGESET: 'copy' },
        },
      },
    ],
  },
})
