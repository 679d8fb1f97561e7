// Runs the suite against the real CLIs; it is started by hand: `npm run test:runners`. AGENCY_TEST_CLIS is a directory
// (or an npm prefix) that holds them, MOCK_LLM the stand-in for both model APIs. What is missing is skipped.

import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    root: '.',
    globalSetup: ['test/support/run/build.ts'],
    setupFiles: ['test/support/run/hermetic.ts'],
    provide: {
      clis: process.env['AGENCY_TEST_CLIS'] ?? null,
      mockLlm: resolve(process.env['MOCK_LLM'] ?? 'mock-llm.mjs'),
    },
    pool: 'forks',
    testTimeout: 90_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    clis: string | null
    mockLlm: string
  }
}
