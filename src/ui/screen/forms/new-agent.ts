// The form that starts an agent: where it works, who it is, how it runs and what it is to do.

import type { ForkSource, RunnerView } from '../../../core/facade/agency.ts'
import type { EnvironmentView } from '../../../core/model/environment-catalog.ts'
import type { RunMode } from '../../../core/model/invocation.ts'
import { editedText, isBlank, openTextEditor, replaceText, type TextEditor } from '../edit/text-editor.ts'
import { openTextField, type TextField } from '../edit/text-field.ts'
import type { FormMemory } from './form-memory.ts'
import { suggestName } from './suggest-name.ts'

/** An agent that the new one follows. */
export interface Origin {
  /** `Follow up on b7c9`, `Fork of b7c9 at checkpoint 3`. */
  readonly title: string
  /** Name of its worktree. */
  readonly worktree: string
  readonly runner: string
  /** Continue the session of this invocation, with its runner. */
  readonly resume?: string
  readonly from?: ForkSource
}

export interface NewAgentFacts {
  /** Names of those that are present. */
  readonly worktrees: readonly string[]
  /** Name of the selected worktree. */
  readonly selected: string | null
  /** The branch that is checked out, from which a name is derived; null where HEAD is detached. */
  readonly branch: string | null
  /** null while they are being looked for; see receiveRunners. */
  readonly runners: readonly RunnerView[] | null
  /** null while they are being looked at. */
  readonly environments: readonly EnvironmentView[] | null
  /** Of the configuration. */
  readonly default_runner: string
  readonly memory: FormMemory
  readonly origin?: Origin
}

export type AgentField =
  | 'worktree'
  | 'new_worktree'
  | 'name'
  | 'runner'
  | 'mode'
  | 'model'
  | 'permission'
  | 'environment'
  | 'prompt'

export type Phase =
  | { readonly kind: 'editing' }
  | { readonly kind: 'starting'; readonly says: string }
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string }

export interface NewAgent {
  readonly facts: NewAgentFacts
  readonly focus: AgentField
  /** null to make a new one. */
  readonly worktree: string | null
  readonly new_worktree: TextField
  readonly name: TextField
  readonly runner: string
  readonly mode: RunMode
  readonly model: TextField
  /** Models that were typed for runners which are not chosen now. */
  readonly models: Readonly<Record<string, string>>
  /** Names of permission choices by runner. Without one, it is as the person has configured it. */
  readonly permissions: Readonly<Record<string, string>>
  /** Its name; null while they are being looked at, for the default. */
  readonly environment: string | null
  readonly prompt: TextEditor
  /** The prompt has come back from $EDITOR. */
  readonly edited: boolean
  /** Enter was pressed, so what is missing is shown too, not only what is wrong. */
  readonly attempted: boolean
  readonly phase: Phase
}

export function openNewAgent(facts: NewAgentFacts): NewAgent {
  const { memory, origin } = facts
  const worktree = choosePresentWorktree(facts)
  const state: NewAgent = {
    facts,
    focus: worktree === null ? 'new_worktree' : 'prompt',
    worktree,
    new_worktree: openTextField(suggestName(facts.branch, facts.worktrees)),
    name: openTextField(),
    runner: origin?.runner ?? memory.runner ?? facts.default_runner,
    mode: memory.mode,
    model: openTextField(),
    models: memory.models,
    permissions: memory.permissions,
    environment: memory.environment ?? null,
    prompt: openTextEditor(memory.draft),
    edited: false,
    attempted: false,
    phase: { kind: 'editing' },
  }
  return settleChoices({ ...state, model: openTextField(state.models[state.runner] ?? '') })
}

export const receiveRunners = (
  state: NewAgent,
  { runners, environments }: Pick<NewAgentFacts, 'runners' | 'environments'>,
): NewAgent => settleChoices({ ...state, facts: { ...state.facts, runners, environments } })

/** The chosen environment; null while they are being looked at, or if it does not exist. */
export const environmentOf = ({ facts, environment }: NewAgent): EnvironmentView | null =>
  facts.environments?.find((one) => one.environment.name === environment) ?? null

/** What was remembered may have gone from the configuration. */
function settleChoices(state: NewAgent): NewAgent {
  const settled = settleRunner(state)
  const { environments } = settled.facts
  if (environments === null || environmentOf(settled) !== null) return settled
  return {
    ...settled,
    environment: environments.find(({ is_default }) => is_default)?.environment.name ?? null,
  }
}

/** Takes the prompt that comes back from $EDITOR. */
export const receiveEdited = (state: NewAgent, text: string): NewAgent => ({
  ...state,
  prompt: replaceText(state.prompt, text.replace(/\n+$/, '')),
  edited: true,
  focus: 'prompt',
})

export const showProgress = (state: NewAgent, says: string): NewAgent => ({
  ...state,
  phase: { kind: 'starting', says },
})

/** Keeps everything that was typed. */
export const showFailure = (state: NewAgent, error: { message: string; hint: string }): NewAgent => ({
  ...state,
  phase: { kind: 'failed', message: error.message, hint: error.hint },
})

export type Leaving = 'left' | 'started'

/**
 * What to remember when the form is left, or when its agent has started. A prompt that was begun is kept as a draft.
 */
export function memoryOf(state: NewAgent, leaving: Leaving): FormMemory {
  const { memory } = state.facts
  const draft = leaving === 'left' && !isBlank(state.prompt) ? editedText(state.prompt) : ''
  if (leaving === 'left') return { ...memory, draft }
  return {
    ...memory,
    runner: state.runner,
    mode: state.mode,
    models: { ...state.models, [state.runner]: state.model.text.trim() },
    permissions: state.permissions,
    environment: state.environment,
    worktree: state.worktree ?? state.new_worktree.text,
    draft,
  }
}

/** Changes the runner. Each runner has its own model. */
export const withRunner = (state: NewAgent, runner: string): NewAgent =>
  runner === state.runner
    ? state
    : {
        ...state,
        runner,
        models: { ...state.models, [state.runner]: state.model.text },
        model: openTextField(state.models[runner] ?? ''),
      }

/** The chosen runner; null while runners are being looked for, or if it does not exist. */
export const runnerOf = ({ facts, runner }: NewAgent): RunnerView | null =>
  facts.runners?.find(({ name }) => name === runner) ?? null

export const modeOf = (state: NewAgent): RunMode => {
  const modes = runnerOf(state)?.modes ?? []
  return modes.includes(state.mode) ? state.mode : (modes[0] ?? state.mode)
}

/** The selected worktree, otherwise the one used last. null, to make a new one, if there is none. */
function choosePresentWorktree({ worktrees, selected, memory, origin }: NewAgentFacts): string | null {
  const wanted = [origin?.worktree, selected, memory.worktree, ...worktrees]
  return wanted.find((name) => name !== null && name !== undefined && worktrees.includes(name)) ?? null
}

/**
 * The wanted runner if it can be had; otherwise the configured one, then any that is ready. A session keeps its runner.
 */
function settleRunner(state: NewAgent): NewAgent {
  const { runners, default_runner, origin } = state.facts
  if (runners === null || origin?.resume !== undefined) return state
  const ready = runners.filter(({ availability }) => availability.state === 'ready').map(({ name }) => name)
  const chosen = [state.runner, default_runner, ...ready].find((name) => ready.includes(name))
  return chosen === undefined ? state : withRunner(state, chosen)
}
