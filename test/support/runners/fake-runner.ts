// Puts the stand-in for an agent on a test's PATH under the name of a real one.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FakeRunnerOptions {
  /** Path of a file, see `transcriptPath`. */
  readonly transcript?: string
  readonly 'delay-ms'?: number
  readonly stderr?: string
  readonly exit?: number
  readonly hang?: boolean
  readonly 'sigint-exit'?: number
  readonly 'ignore-sigint'?: boolean
  readonly 'version-text'?: string
  /** A file that gets `{argv, stdin, cwd}` as JSON. */
  readonly record?: string
}

export const FAKE_RUNNER = join(import.meta.dirname, 'fake-runner.mjs')

export const transcriptPath = (name: string): string =>
  join(import.meta.dirname, 'transcripts', `${name}.jsonl`)

/** Makes `directory/name` an executable that does as `options` say; returns its path. Put `directory` first on PATH. */
export function installFakeRunner(directory: string, name: string, options: FakeRunnerOptions = {}): string {
  const path = join(directory, name)
  const told = quote(JSON.stringify(options))
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    path,
    `#!/bin/sh\nFAKE_RUNNER_OPTIONS=${told} exec ${quote(process.execPath)} ${quote(FAKE_RUNNER)} "$@"\n`,
  )
  chmodSync(path, 0o755)
  return path
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
