// What a completed form asks for.

import type { StartRequest } from '../../../core/facade/agency.ts'
import { editedText, isBlank } from '../edit/text-editor.ts'
import { permissionOf } from './agent-fields.ts'
import { modeOf, type NewAgent, runnerOf } from './new-agent.ts'

export interface AgentOrder {
  /** Name of a worktree to make first. */
  readonly new_worktree: string | null
  /** Without the terminal's size, which only the app knows. */
  readonly request: StartRequest
}

export function orderOf(state: NewAgent): AgentOrder {
  const { origin } = state.facts
  const prompt = isBlank(state.prompt) ? null : editedText(state.prompt)
  const name = state.name.text.trim()
  const model = state.model.text.trim()
  const args = permissionOf(state)?.args ?? []
  return {
    new_worktree: state.worktree === null ? state.new_worktree.text : null,
    request: {
      worktree: state.worktree ?? state.new_worktree.text,
      runner: state.runner,
      mode: modeOf(state),
      prompt,
      prompt_source: prompt === null ? 'none' : state.edited ? 'editor' : 'text',
      ...(state.environment === null ? {} : { environment: state.environment }),
      ...(name === '' ? {} : { name }),
      ...(model === '' || runnerOf(state)?.takes_model !== true ? {} : { model }),
      ...(args.length === 0 ? {} : { extra_args: args }),
      ...(origin?.resume === undefined ? {} : { resume: origin.resume }),
      ...(origin?.from === undefined ? {} : { from: origin.from }),
    },
  }
}
