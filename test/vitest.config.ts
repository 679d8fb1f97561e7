import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real/**'],
    root: '.',
    globalSetup: ['test/support/scratch-place.ts', 'test/support/build.ts'],
    setupFiles: ['test/support/hermetic.ts'],
    pool: 'forks',
    // Many tests wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
    // Guards against a hang, with room for a machine that is busy with other things.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
