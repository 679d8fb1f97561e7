// Which fields the form of an agent has at the moment, what can be chosen in them, and what is wrong with them.

import type { RunnerView } from '../../../core/facade/agency.ts'
import { isBlank } from '../edit/text-editor.ts'
import { type AgentField, environmentOf, modeOf, type NewAgent, runnerOf, withRunner } from './new-agent.ts'
import { nameProblem } from './suggest-name.ts'

/** From top to bottom. */
export function fieldsOf(state: NewAgent): readonly AgentField[] {
  const runner = runnerOf(state)
  const has: Readonly<Record<AgentField, boolean>> = {
    worktree: state.facts.worktrees.length > 0,
    new_worktree: state.worktree === null,
    name: true,
    runner: true,
    mode: runner !== null && runner.modes.length > 1,
    model: runner?.takes_model === true,
    permission: runner !== null && runner.permissions.length > 0,
    environment: state.facts.environments === null || state.facts.environments.length > 1,
    prompt: true,
  }
  return ORDER.filter((field) => has[field])
}

const ORDER: readonly AgentField[] = [
  'worktree',
  'new_worktree',
  'name',
  'runner',
  'mode',
  'model',
  'permission',
  'environment',
  'prompt',
]

export interface FieldChoice {
  readonly value: string
  readonly label: string
  readonly chosen: boolean
}

const NEW = ''
const CONFIGURED = ''

/** Empty for fields in which text is typed. */
export function choicesOf(state: NewAgent, field: AgentField): readonly FieldChoice[] {
  switch (field) {
    case 'worktree':
      return mark(
        [...state.facts.worktrees.map((name) => [name, name] as const), [NEW, 'new…']],
        state.worktree ?? NEW,
      )
    case 'runner':
      return mark(
        readyRunners(state).map((runner) => [runner.name, runnerLabel(runner)]),
        state.runner,
      )
    case 'mode':
      return mark(
        (runnerOf(state)?.modes ?? []).map((mode) => [mode, mode]),
        modeOf(state),
      )
    case 'permission':
      return mark(
        [
          [CONFIGURED, 'as you configured'],
          ...(runnerOf(state)?.permissions ?? []).map(({ name, title }) => [name, title] as const),
        ],
        permissionOf(state)?.name ?? CONFIGURED,
      )
    case 'environment':
      return mark(
        (state.facts.environments ?? []).map(({ environment: { name } }) => [name, name]),
        state.environment ?? '',
      )
    case 'new_worktree':
    case 'name':
    case 'model':
    case 'prompt':
      return []
  }
}

export function chooseValue(state: NewAgent, field: AgentField, value: string): NewAgent {
  switch (field) {
    case 'worktree':
      return { ...state, worktree: value === NEW ? null : value }
    case 'runner':
      return withRunner(state, value)
    case 'mode':
      return { ...state, mode: value === 'headless' ? 'headless' : 'headed' }
    case 'permission':
      return { ...state, permissions: { ...state.permissions, [state.runner]: value } }
    case 'environment':
      return { ...state, environment: value }
    case 'new_worktree':
    case 'name':
    case 'model':
    case 'prompt':
      return state
  }
}

/** null: as the person has configured the runner. */
export const permissionOf = (state: NewAgent): RunnerView['permissions'][number] | null =>
  runnerOf(state)?.permissions.find(({ name }) => name === state.permissions[state.runner]) ?? null

/** Runners that cannot be chosen, with what is wrong and what to type. None for a follow-up, which keeps its runner. */
export const unavailableRunners = ({ facts }: NewAgent): readonly RunnerView[] =>
  facts.origin?.resume === undefined
    ? (facts.runners ?? []).filter(({ availability }) => availability.state === 'unavailable')
    : []

/** What prevents a start; null if nothing does. */
export function problemOf(state: NewAgent, field: AgentField): string | null {
  switch (field) {
    case 'new_worktree':
      return state.new_worktree.text === '' && !state.attempted
        ? null
        : nameProblem(state.new_worktree.text, state.facts.worktrees)
    case 'runner':
      return runnerProblem(state)
    case 'environment':
      return environmentProblem(state)
    case 'prompt':
      return state.attempted && modeOf(state) === 'headless' && isBlank(state.prompt)
        ? 'a headless agent needs a prompt'
        : null
    case 'worktree':
    case 'name':
    case 'mode':
    case 'model':
    case 'permission':
      return null
  }
}

/** The first field with a problem. From now on, missing values count as problems too. */
export const firstProblem = (state: NewAgent): AgentField | null =>
  fieldsOf(state).find((field) => problemOf({ ...state, attempted: true }, field) !== null) ?? null

const mark = (
  pairs: readonly (readonly [value: string, label: string])[],
  chosen: string,
): readonly FieldChoice[] => pairs.map(([value, label]) => ({ value, label, chosen: value === chosen }))

function readyRunners(state: NewAgent): readonly RunnerView[] {
  const { runners, origin } = state.facts
  const ready = (runners ?? []).filter(({ availability }) => availability.state === 'ready')
  return origin?.resume === undefined ? ready : ready.filter(({ name }) => name === state.runner)
}

const runnerLabel = ({ name, availability }: RunnerView): string =>
  availability.state === 'ready' && availability.version !== null ? `${name} ${availability.version}` : name

function runnerProblem(state: NewAgent): string | null {
  if (state.facts.runners === null)
    return state.attempted ? 'still looking which runners are installed' : null
  const availability = runnerOf(state)?.availability
  if (availability === undefined) return `there is no runner '${state.runner}'`
  return availability.state === 'ready' ? null : `${state.runner} cannot be started`
}

/** The reasons stand above it, with what to type. */
function environmentProblem(state: NewAgent): string | null {
  const view = environmentOf(state)
  return view === null || view.refusals.length === 0 ? null : `${view.environment.name} cannot be had here`
}
