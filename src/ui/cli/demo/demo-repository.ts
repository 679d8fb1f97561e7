// The throw-away repository of the demo: a few commits, an identity of its own, nothing of the person's.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runAtOnce } from '../../../core/doors/spawner/run-at-once.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { TRANSLATOR } from './demo-translator.ts'

interface DemoCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
}

const COMMITS: readonly DemoCommit[] = [
  { message: 'Start a greeter', files: { 'greet.sh': '#!/bin/sh\necho "Hello"\n' } },
  { message: 'Say what it is', files: { 'README.md': '# Greeter\n\nIt greets whoever runs it.\n' } },
  { message: 'Greet by name', files: { 'greet.sh': '#!/bin/sh\necho "Hello, $1"\n' } },
  {
    message: 'Prepare for agents',
    files: { 'tools/translate.sh': TRANSLATOR, '.agency.toml': 'default_runner = "shell"\n' },
  },
]

/**
 * Plain git, as a person would type it. GIT_ variables of the environment are removed, so that they cannot lead it to
 * another repository. Throws E_GIT_MISSING.
 */
export function makeDemoRepository(path: string, env: NodeJS.ProcessEnv): void {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const git = (...args: string[]): void => runDemoGit(args, { cwd: path, env: clean })
  mkdirSync(path, { recursive: true })
  git('init', '-q')
  git('symbolic-ref', 'HEAD', 'refs/heads/main')
  git('config', 'user.name', 'Demo')
  git('config', 'user.email', 'demo@example.com')
  git('config', 'commit.gpgsign', 'false')
  for (const { message, files } of COMMITS) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), text)
    }
    git('add', '-A')
    git('commit', '-q', '--no-verify', '-m', message)
  }
}

function runDemoGit(
  args: readonly string[],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): void {
  const { status, stderr, error } = runAtOnce({ argv: ['git', ...args], ...where })
  if (error?.code === 'ENOENT') throw new AgencyError('E_GIT_MISSING', undefined, { cause: error })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? stderr.trim()}`)
}
