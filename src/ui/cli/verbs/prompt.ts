// Where an agent's prompt comes from: the command line, a file, standard input, or an editor.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { StartingAgency, StartRequest } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { isInteractive } from '../../person/console.ts'
import { openInEditor } from '../../person/editor.ts'
import type { Call } from '../commands/command.ts'

export type Prompt = Pick<StartRequest, 'prompt' | 'prompt_source'>

/** What comes after this line is not read. A Markdown prompt may have any heading, so no heading could mark the end. */
const SCISSORS = '<!-- agency: the prompt is what stands above this line -->'

const TEMPLATE = `

${SCISSORS}

Write what the agent is to do, save and leave the editor.
An empty prompt starts nothing.
`

/** If `required` and none is given, asks an editor, or throws E_PROMPT_MISSING if there is nobody to ask. */
export async function readPrompt(call: Call<StartingAgency>, required: boolean): Promise<Prompt> {
  const text = call.text('prompt')
  const file = call.text('prompt-file')
  if (text !== undefined && file !== undefined) {
    throw new AgencyError('E_USAGE', '--prompt and --prompt-file cannot be given together')
  }
  if (text !== undefined) return acceptPrompt(text, 'text')
  if (file === '-') return acceptPrompt(await readAll(call.console.stdin), 'stdin')
  if (file !== undefined) return acceptPrompt(readPromptFile(resolve(call.cwd, file)), 'file')
  if (!required) return { prompt: null, prompt_source: 'none' }
  if (!isInteractive(call.console)) throw new AgencyError('E_PROMPT_MISSING')
  return acceptPrompt(await composePrompt(call), 'editor')
}

function acceptPrompt(prompt: string, source: Prompt['prompt_source']): Prompt {
  if (prompt.trim() === '') {
    throw new AgencyError('E_PROMPT_MISSING', 'the prompt is empty, so nothing was started')
  }
  if (prompt.includes('\0')) {
    throw new AgencyError('E_USAGE', 'the prompt holds a NUL byte, which no runner can be given')
  }
  return { prompt, prompt_source: source }
}

function readPromptFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AgencyError('E_USAGE', `could not read the prompt file: ${why}`, { cause: error })
  }
}

async function composePrompt(call: Call<StartingAgency>): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'agency-prompt-'))
  const path = join(dir, 'PROMPT.md')
  try {
    writeFileSync(path, TEMPLATE, { mode: 0o600 })
    const { config } = await call.agency()
    await openInEditor(call.console, { path, config, json: call.json })
    return readFileSync(path, 'utf8').split(SCISSORS)[0]?.trim() ?? ''
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
