// Whether Codex has credentials of some kind here. Only looks whether they exist; keeps nothing.

import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileMentions } from '../launch/file-mentions.ts'

const VARIABLES = ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN']

/** The person's own provider, local models and the system's keyring may need no file, so they count as an account. */
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
