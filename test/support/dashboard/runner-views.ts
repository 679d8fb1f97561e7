// Runners as the dashboard sees them, for tests of what offers them to the person.

import type { RunnerView } from '../../../src/core/facade/agency.ts'

export const CLAUDE: RunnerView = {
  name: 'claude',
  title: 'Claude Code',
  modes: ['headed', 'headless'],
  models: ['opus', 'sonnet', 'haiku'],
  takes_model: true,
  permissions: [
    { name: 'edit', title: 'edit files', args: ['--permission-mode', 'acceptEdits'] },
    {
      name: 'commit',
      title: 'edit and commit',
      args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git:*)'],
    },
  ],
  availability: { state: 'ready', executable: '/bin/claude', version: '2.1.330' },
}

export const CODEX: RunnerView = {
  ...CLAUDE,
  name: 'codex',
  title: 'Codex',
  models: [],
  permissions: [{ name: 'edit', title: 'edit files', args: ['-s', 'workspace-write'] }],
  availability: { state: 'ready', executable: '/bin/codex', version: '0.169.0' },
}

export const NO_CODEX: RunnerView = {
  ...CODEX,
  availability: {
    state: 'unavailable',
    code: 'E_RUNNER_MISSING',
    message: "Codex is not installed: there is no 'codex' on PATH",
    hint: 'npm install -g @openai/codex',
  },
}

export const SHELL: RunnerView = {
  name: 'shell',
  title: 'Shell',
  modes: ['headed', 'headless'],
  models: [],
  takes_model: false,
  permissions: [],
  availability: { state: 'ready', executable: '/bin/sh', version: null },
}
