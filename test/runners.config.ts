// The suite against the real CLIs, run by hand: `npm run test:runners`. AGENCY_TEST_CLIS is a directory that holds
// them (or an npm prefix), MOCK_LLM the stand-in for both model APIs; what is missing is skipped with a sentence.

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
