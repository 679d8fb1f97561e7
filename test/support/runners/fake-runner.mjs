#!/usr/bin/env node
// A stand-in for a real agent: replays a transcript to standard output and ends as told. It runs as a custom runner
// (options in argv) or, by installFakeRunner, as `claude` or `codex` on a test's PATH (options in its own file).
//
//   --transcript FILE  what to print, line by line        --delay-ms N     between lines
//   --stderr TEXT      printed first                      --exit N         exit code (0)
//   --hang             wait for a signal after the last line
//   --sigint-exit N    exit code on SIGINT (0)            --ignore-sigint  go on instead
//   --version-text T   the answer to --version            --record FILE    write {argv, stdin, cwd} there as JSON
//
// Everything else in argv is taken as a real runner would take it: recorded and passed over.

import { readFileSync, writeFileSync } from 'node:fs'

const FLAGS = ['hang', 'ignore-sigint']
const VALUES = ['transcript', 'delay-ms', 'stderr', 'exit', 'sigint-exit', 'version-text', 'record']

const argv = process.argv.slice(2)
const preset = process.env.FAKE_RUNNER_OPTIONS ? JSON.parse(process.env.FAKE_RUNNER_OPTIONS) : {}
const options = { ...preset, ...readOptions(argv) }

function readOptions(args) {
  const found = {}
  for (const [index, arg] of args.entries()) {
    if (FLAGS.some((flag) => arg === `--${flag}`)) found[arg.slice(2)] = true
    if (VALUES.some((value) => arg === `--${value}`)) found[arg.slice(2)] = args[index + 1]
  }
  return found
}

if (argv.includes('--version')) {
  process.stdout.write(`${options['version-text'] ?? '99.0.0 (fake)'}\n`)
  process.exit(0)
}

process.on('SIGINT', () => {
  if (!options['ignore-sigint']) process.exit(Number(options['sigint-exit'] ?? 0))
})

if (options.record) {
  const stdin = process.stdin.isTTY ? null : readFileSync(0, 'utf8')
  writeFileSync(options.record, JSON.stringify({ argv, stdin, cwd: process.cwd() }))
}
if (options.stderr) process.stderr.write(`${options.stderr}\n`)

const pause = () => new Promise((resolve) => setTimeout(resolve, Number(options['delay-ms'] ?? 0)))
const lines = options.transcript ? readFileSync(options.transcript, 'utf8').split('\n').filter(Boolean) : []
for (const line of lines) {
  if (options['delay-ms']) await pause()
  process.stdout.write(`${line}\n`)
}
if (options.hang) setInterval(() => {}, 60_000)
else process.exitCode = Number(options.exit ?? 0)
