// A plain request to launch a runner, which tests change as they need.

import type { LaunchRequest } from '../../../src/core/model/runner.ts'

export const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e'

export const launchRequest = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  mode: 'headless',
  sandbox_path: '/sandbox/tree',
  prompt: 'Fix the bug',
  prompt_path: '/data/prompt.md',
  model: null,
  extra_args: [],
  new_session_id: SESSION,
  resume_session_id: null,
  ...changes,
})
