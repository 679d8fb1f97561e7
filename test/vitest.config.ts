import { availableParallelism } from 'node:os'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

export const suite = {
  root: '.',
  globalSetup: ['test/support/run/scratch-place.ts', 'test/support/run/build.ts'],
  setupFiles: ['test/support/run/hermetic.ts'],
  pool: 'forks',
  // Many tests only wait for processes of their own, so there are two workers more than cores.
  maxWorkers: availableParallelism() + 2,
  env: { SWEEP_SEED: process.env['SWEEP_SEED'] ?? String(Math.floor(Math.random() * 1_000_000)) },
  // These end a test that hangs, but leave room for a machine that is busy with other things.
  testTimeout: 180_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
} satisfies ViteUserConfig['test']

/** They share processes, because starting one and loading the core takes longer than most of them. */
const SHARING = ['core', 'flows', 'runners', 'safety', 'ui'].map((room) => `test/${room}/**/*.test.ts`)

const { globalSetup, maxWorkers, ...each } = suite

export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    projects: [
      { test: { ...each, name: 'sharing', include: SHARING, isolate: false } },
      {
        test: {
          ...each,
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...SHARING, 'test/real/**'],
        },
      },
    ],
  },
})
