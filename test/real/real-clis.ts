// Which of the real CLIs are there, and which options allow them what they need, as the README tells people.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { findProgram } from '../../src/core/doors/system/find-program.ts'
import { claude } from '../../src/runners/claude/claude.ts'
import { codex } from '../../src/runners/codex/codex.ts'

const clis = inject('clis')
export const MOCK_PROGRAM = inject('mockLlm')
export const PATH = [
  ...(clis === null ? [] : [clis, join(clis, 'node_modules/.bin')]),
  process.env['PATH'],
].join(':')

export const REAL_CLIS = [
  {
    runner: claude,
    write: ['--permission-mode', 'acceptEdits'],
    commit: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git:*)'],
    bash: ['--allowedTools', 'Bash'],
    /** In a box of ours. */
    boxed: { write: ['--permission-mode', 'acceptEdits'], bash: ['--allowedTools', 'Bash'] },
    deniedTools: ['Write'],
    priced: true,
    apiErrors: { err500: /API Error: 500 mock internal error/, err401: /401|invalid key/i },
    /** The exit code after SIGINT. */
    interrupted: 0,
  },
  {
    runner: codex,
    write: ['-s', 'workspace-write'],
    /** `workspace-write` forbids the places that a commit in a linked worktree writes to. */
    commit: ['-s', 'danger-full-access'],
    bash: ['-s', 'workspace-write'],
    /** For root, its own sandbox cannot be made in another one. */
    boxed: { write: ['-s', 'danger-full-access'], bash: ['-s', 'danger-full-access'] },
    /** The standard output of Codex does not say what it refuses. */
    deniedTools: [],
    priced: false,
    apiErrors: { err500: /high demand/, err401: /401|invalid key/i },
    interrupted: 1,
  },
] as const

export type RealCli = (typeof REAL_CLIS)[number]

export function reasonToSkip({ runner }: RealCli): string | null {
  if (!existsSync(MOCK_PROGRAM)) return 'the stand-in for the model APIs is not there: set MOCK_LLM'
  return findProgram(runner.name, { PATH }) === null ? `${runner.name} not installed` : null
}
