// Does Codex have credentials of some kind here? Only their presence is looked at, and nothing is kept.

import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileMentions } from '../launch/file-mentions.ts'

const VARIABLES = ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN']

/** A provider of the person's own, local models or the system's keyring may need no file: they count as an account. */
export function hasCodexAccount(env: NodeJS.ProcessEnv): boolean {
  if (VARIABLES.some((name) => env[name])) return true
  const directory = env['CODEX_HOME'] || join(env['HOME'] ?? homedir(), '.codex')
  return (
    fileMentions(join(directory, 'auth.json'), /./) ||
    fileMentions(
      join(directory, 'config.toml'),
      /^\s*(model_provider|oss_provider|profile|cli_auth_credentials_store)\b/m,
    )
  )
}
