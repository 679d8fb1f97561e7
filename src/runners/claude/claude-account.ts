// Whether Claude Code has credentials of some kind here. Only looks whether they exist; keeps nothing.

import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileMentions } from '../launch/file-mentions.ts'

const VARIABLES = /^(ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL)|CLAUDE_CODE_(USE_|OAUTH_TOKEN|API_KEY))/

/** A gateway, a cloud provider or a key helper in the settings counts as an account. */
export function hasClaudeAccount(env: NodeJS.ProcessEnv): boolean {
  if (Object.keys(env).some((name) => VARIABLES.test(name) && env[name] !== '')) return true
  const home = env['HOME'] ?? homedir()
  const configured = env['CLAUDE_CONFIG_DIR']
  const directory = configured || join(home, '.claude')
  return (
    fileMentions(join(directory, '.credentials.json'), /./) ||
    fileMentions(join(configured || home, '.claude.json'), /"(oauthAccount|primaryApiKey)"/) ||
    settingsFiles(directory).some((path) =>
      fileMentions(path, /apiKeyHelper|ANTHROPIC_|CLAUDE_CODE_(USE|OAUTH)/),
    )
  )
}

const settingsFiles = (directory: string): readonly string[] => [
  join(directory, 'settings.json'),
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]
