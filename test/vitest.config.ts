import { availableParallelism } from 'node:os'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

export const suite = {
  exclude: ['test/real/**'],
  root: '.',
  globalSetup: ['test/support/scratch-place.ts', 'test/support/build.ts'],
  setupFiles: ['test/support/hermetic.ts'],
  pool: 'forks',
  // Many tests wait for processes of their own.
  maxWorkers: availableParallelism() + 1,
  env: { SWEEP_SEED: process.env['SWEEP_SEED'] ?? String(Math.floor(Math.random() * 1_000_000)) },
  // Guards against a hang, with room for a machine that is busy with other things.
  testTimeout: 180_000,
  hookTimeout: 60_000,
  reporters: ['default'],
} satisfies ViteUserConfig['test']

export default defineConfig({ test: { ...suite, include: ['test/**/*.test.ts'] } })
