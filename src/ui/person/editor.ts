// Opens the person's editor on a file or a directory.

import type { Config } from '../../core/model/config.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { splitWords } from '../text/split-words.ts'
import { runChild } from './child.ts'
import type { Console } from './console.ts'

export interface EditorRequest {
  /** Absolute. */
  readonly path: string
  readonly config: Config
  readonly json: boolean
}

/** Resolves when the editor's own command ends. Throws E_EDITOR_FAILED. */
export async function openInEditor(console: Console, { path, config, json }: EditorRequest): Promise<void> {
  const [program = '', ...args] = chooseEditor(console.env, config)
  const status = await runChild(console, {
    argv: [program, ...args, path],
    cwd: console.cwd,
    env: console.env,
    json,
  }).catch((error: Error) => {
    throw new AgencyError('E_EDITOR_FAILED', `could not run ${program}: ${error.message}`, { cause: error })
  })
  if (status !== 0) {
    throw new AgencyError('E_EDITOR_FAILED', `${program} ended with exit status ${status}`, {
      details: { exit_code: status },
    })
  }
}

/** `editor` of config.toml, then $VISUAL, then $EDITOR. It is split into words like in a shell, but run without one. */
export function chooseEditor(env: NodeJS.ProcessEnv, config: Config): string[] {
  const command = [config.editor, env['VISUAL'], env['EDITOR']].find((text) => text?.trim())
  if (command === undefined) throw new AgencyError('E_EDITOR_FAILED', 'no editor is set')
  const words = splitWords(command)
  if (words === null)
    throw new AgencyError('E_EDITOR_FAILED', `a quote is not closed in the editor: ${command}`)
  return words
}
