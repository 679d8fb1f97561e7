// The forms that start an agent and make a worktree. They are opened with what is known and filled in on top of
// everything else. The app carries them out; then they close, or say what went wrong.

import { CONFIG_DEFAULTS } from '../../../core/model/config.ts'
import { span } from '../../text/line.ts'
import {
  memoryOf,
  type NewAgent,
  type NewAgentFacts,
  openNewAgent,
  receiveEdited,
  receiveRunners,
  showFailure,
  showProgress,
} from '../forms/new-agent.ts'
import { type NewWorktree, openNewWorktree, receiveBranches } from '../forms/new-worktree.ts'
import { typeInNewAgent } from '../forms/type-new-agent.ts'
import { typeInNewWorktree } from '../forms/type-new-worktree.ts'
import type { InputEvent } from '../input/input-event.ts'
import { worktreeKey } from '../tree/tree-items.ts'
import type { UiMemory } from '../ui-memory.ts'
import type { Awaited, DashboardState } from './dashboard-state.ts'
import { also, type Message, type Step, stay, type Told } from './message.ts'
import { currentWorktree, findRow, reveal, select } from './selection.ts'

export type FormOverlay =
  | { readonly kind: 'new_agent'; readonly popup: NewAgent }
  | { readonly kind: 'new_worktree'; readonly popup: NewWorktree }

const FORM_MESSAGES = [
  'runners_found',
  'branches_found',
  'edited',
  'form_progress',
  'form_failed',
  'started',
  'worktree_made',
] as const

export type FormMessage = Extract<Message, { kind: (typeof FORM_MESSAGES)[number] }>

export const isFormMessage = (message: Message): message is FormMessage =>
  (FORM_MESSAGES as readonly string[]).includes(message.kind)

/** `origin` is the agent that the new one follows, or is a fork of. */
export function openAgentForm(state: DashboardState, origin?: NewAgentFacts['origin']): Step {
  const { memory, branches, runners, snapshot, default_runner } = state
  const present = snapshot.worktrees.filter(({ record }) => record.state === 'present')
  const popup = openNewAgent({
    worktrees: present.map(({ record }) => record.name),
    selected: currentWorktree(state)?.record.name ?? null,
    branch: branches?.current ?? null,
    runners,
    environments: state.environments,
    default_runner: default_runner ?? CONFIG_DEFAULTS.default_runner,
    memory: memory.forms,
    ...(origin === undefined ? {} : { origin }),
  })
  return also(
    { ...state, overlay: { kind: 'new_agent', popup } },
    { do: 'find_runners' },
    { do: 'find_branches' },
  )
}

export function openWorktreeForm(state: DashboardState): Step {
  const { branches, snapshot } = state
  const popup = openNewWorktree({
    taken: snapshot.worktrees
      .filter(({ record }) => record.state === 'present')
      .map(({ record }) => record.name),
    branches: branches?.local ?? null,
    branch: branches?.current ?? null,
  })
  return also({ ...state, overlay: { kind: 'new_worktree', popup } }, { do: 'find_branches' })
}

export function typeInForm(state: DashboardState, overlay: FormOverlay, event: InputEvent): Step {
  switch (overlay.kind) {
    case 'new_agent':
      return typeAgent(state, overlay.popup, event)
    case 'new_worktree':
      return typeWorktree(state, overlay.popup, event)
  }
}

function typeAgent(state: DashboardState, before: NewAgent, event: InputEvent): Step {
  const { state: popup, outcome } = typeInNewAgent(before, event, state.size)
  const open: DashboardState = { ...state, overlay: { kind: 'new_agent', popup } }
  switch (outcome.kind) {
    case 'open':
      return stay(open)
    case 'submitted':
      return also(open, { do: 'start', order: outcome.value })
    case 'wants_editor':
      return also(open, { do: 'edit_text', text: outcome.text })
    case 'cancelled':
      return rememberMemory({ ...state, overlay: null }, { ...state.memory, forms: memoryOf(popup, 'left') })
    case 'left_starting':
      return stay({ ...state, overlay: null })
  }
}

function typeWorktree(state: DashboardState, before: NewWorktree, event: InputEvent): Step {
  const { state: popup, outcome } = typeInNewWorktree(before, event, state.size)
  const open: DashboardState = { ...state, overlay: { kind: 'new_worktree', popup } }
  switch (outcome.kind) {
    case 'open':
      return stay(open)
    case 'submitted':
      return also(open, { do: 'make_worktree', order: outcome.value })
    case 'cancelled':
    case 'left_starting':
      return stay({ ...state, overlay: null })
  }
}

/** Leaves the dashboard with whatever is open. A prompt that was begun is kept as if its form had been left. */
export function leaveForms(state: DashboardState): Step {
  const { overlay, recalled } = state
  const begun = recalled && overlay?.kind === 'new_agent' && overlay.popup.phase.kind !== 'starting'
  if (!begun) return also(state, { do: 'quit' })
  const memory = { ...state.memory, forms: memoryOf(overlay.popup, 'left') }
  return also({ ...state, memory }, { do: 'remember', memory }, { do: 'quit' })
}

export const rememberMemory = (state: DashboardState, memory: UiMemory): Step =>
  also({ ...state, memory }, { do: 'remember', memory })

export function receiveForm(state: DashboardState, message: FormMessage, tell: Teller): Step {
  const { overlay } = state
  switch (message.kind) {
    case 'runners_found':
      return stay(
        withAgent({ ...state, runners: message.runners, environments: message.environments }, (form) =>
          receiveRunners(form, message),
        ),
      )
    case 'branches_found':
      return stay(fillInBranches({ ...state, branches: message.branches }))
    case 'edited':
      return stay(withAgent(state, (form) => receiveEdited(form, message.text)))
    case 'form_progress':
      return stay(withAgent(state, (form) => showProgress(form, message.words)))
    case 'form_failed':
      return stay(overlay === null ? tell(state, formFailure(message)) : fail(state, message))
    case 'worktree_made':
      return stay(select({ ...state, overlay: null }, worktreeKey(message.id)))
    case 'started':
      return started(state, message, tell)
  }
}

type Teller = (state: DashboardState, told: Told) => DashboardState

const withAgent = (state: DashboardState, change: (form: NewAgent) => NewAgent): DashboardState =>
  state.overlay?.kind === 'new_agent'
    ? { ...state, overlay: { kind: 'new_agent', popup: change(state.overlay.popup) } }
    : state

function fillInBranches(state: DashboardState): DashboardState {
  const { overlay, branches } = state
  if (overlay?.kind !== 'new_worktree' || branches === null) return state
  const popup = receiveBranches(overlay.popup, branches.local)
  return { ...state, overlay: { kind: 'new_worktree', popup } }
}

type FormFailed = Extract<Message, { kind: 'form_failed' }>

const formFailure = ({ error }: FormFailed): Told => ({
  level: 'failed',
  lines: [error.message, ...(error.hint === '' ? [] : [span(error.hint, 'dim')])],
})

/**
 * Keeps everything that was typed. If a worktree was made but its agent did not start, the next attempt uses that
 * worktree.
 */
function fail(state: DashboardState, { error, made }: FormFailed): DashboardState {
  const { overlay } = state
  if (overlay?.kind === 'new_worktree') {
    const phase = { kind: 'failed', message: error.message, hint: error.hint } as const
    return { ...state, overlay: { kind: 'new_worktree', popup: { ...overlay.popup, phase } } }
  }
  return withAgent(state, (form) => {
    const failed = showFailure(form, error)
    if (made === null) return failed
    const worktrees = [...form.facts.worktrees, made]
    return { ...failed, worktree: made, facts: { ...form.facts, worktrees } }
  })
}

/** Once the agent of an open form is seen, it gets the keyboard. An agent whose form was left does not. */
function started(state: DashboardState, { id }: Extract<Message, { kind: 'started' }>, tell: Teller): Step {
  const { overlay } = state
  if (overlay?.kind !== 'new_agent') {
    return stay(tell(state, { level: 'done', lines: [`started ${id.slice(-4)}`] }))
  }
  const shown = showAwaited({ ...state, overlay: null }, { id, focus: true })
  return rememberMemory(shown, { ...state.memory, forms: memoryOf(overlay.popup, 'started') })
}

/** If its record has not been observed yet, it is selected later. */
export function showAwaited(state: DashboardState, awaited: Awaited): DashboardState {
  if (findRow(state, awaited.id) === null) return { ...state, awaited }
  const shown = reveal({ ...state, awaited: null }, awaited.id)
  return awaited.focus ? { ...shown, stage: { ...shown.stage, active: awaited.id } } : shown
}
