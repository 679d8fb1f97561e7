// The upper part of the form of an agent as rows: everything but the prompt.

import type { RunnerView } from '../../../core/facade/agency.ts'
import { span } from '../../text/line.ts'
import { choicesOf, fieldsOf, permissionOf, problemOf, unavailableRunners } from './agent-fields.ts'
import { choiceRow, type FormRow, type FormRowPlace, fieldRow, messageRows, textRow } from './form-rows.ts'
import { type AgentField, environmentOf, modeOf, type NewAgent, runnerOf } from './new-agent.ts'
import { completionOf } from './suggest-name.ts'

const LABELS: Readonly<Record<AgentField, string>> = {
  worktree: 'Worktree',
  new_worktree: 'New name',
  name: 'Agent name',
  runner: 'Runner',
  mode: 'Mode',
  model: 'Model',
  permission: 'May',
  environment: 'Box',
  prompt: 'Prompt',
}

export type AgentRow = FormRow<AgentField>

export interface RowLook {
  readonly width: number
  readonly ascii: boolean
}

export const agentRows = (state: NewAgent, { width, ascii }: RowLook): readonly AgentRow[] =>
  fieldsOf(state)
    .filter((field): field is RowField => field !== 'prompt')
    .flatMap((field) => {
      const place = { field, label: LABELS[field], focused: state.focus === field, width, ascii }
      const problem = problemOf(state, field)
      const rows = fieldRows(state, place)
      return problem === null ? rows : [...rows, ...messageRows(place, span(problem, 'failed'))]
    })

type RowField = Exclude<AgentField, 'prompt'>

function fieldRows(state: NewAgent, place: FormRowPlace<RowField>): readonly AgentRow[] {
  switch (place.field) {
    case 'new_worktree':
      return [fieldRow(place, { field: state.new_worktree, placeholder: 'my-feature' })]
    case 'name':
      return [fieldRow(place, { field: state.name, placeholder: 'optional' })]
    case 'model':
      return [modelRow(state, place)]
    case 'runner':
      return runnerRows(state, place)
    case 'permission':
      return [choiceRow(place, choicesOf(state, 'permission')), ...permissionNote(state, place)]
    case 'environment':
      return environmentRows(state, place)
    case 'worktree':
    case 'mode':
      return [choiceRow(place, choicesOf(state, place.field))]
  }
}

function modelRow(state: NewAgent, place: FormRowPlace<AgentField>): AgentRow {
  const aliases = runnerOf(state)?.models ?? []
  const placeholder = aliases.length === 0 ? "the runner's own" : `the runner's own; or ${aliases.join(', ')}`
  return fieldRow(place, {
    field: state.model,
    placeholder,
    completion: completionOf(state.model.text, aliases),
  })
}

/** Runners that cannot be chosen are listed below, with what to type, while the field has the focus. */
function runnerRows(state: NewAgent, place: FormRowPlace<AgentField>): readonly AgentRow[] {
  if (state.facts.runners === null) return [textRow(place, span('looking which are installed…', 'dim'))]
  const choices = choicesOf(state, 'runner')
  const row = choices.length === 0 ? textRow(place, span(state.runner, 'dim')) : choiceRow(place, choices)
  const unavailable = unavailableRunners(state)
  if (unavailable.length === 0) return [row]
  if (place.focused) return [row, ...unavailable.flatMap((runner) => remedyRows(place, runner))]
  const names = unavailable.map(({ name }) => name).join(', ')
  return [row, ...messageRows(place, span(`not ready: ${names}`, 'dim'))]
}

function remedyRows(place: FormRowPlace<AgentField>, { availability }: RunnerView): readonly AgentRow[] {
  if (availability.state === 'ready') return []
  return reasonRows(place, availability)
}

/** Said because, by default, real agents write nothing without asking, and a headless one has nobody to ask. */
const permissionNote = (state: NewAgent, place: FormRowPlace<AgentField>): readonly AgentRow[] =>
  modeOf(state) === 'headless' && permissionOf(state) === null
    ? messageRows(place, span('a headless agent has no one to ask: it may write nothing', 'dim'))
    : []

/** What the chosen one means, why it cannot be had here, and what to type. */
function environmentRows(state: NewAgent, place: FormRowPlace<AgentField>): readonly AgentRow[] {
  if (state.facts.environments === null) return [textRow(place, span('looking what works here…', 'dim'))]
  const view = environmentOf(state)
  const row = choiceRow(place, choicesOf(state, 'environment'))
  if (view === null) return [row]
  return [
    row,
    ...messageRows(place, span(view.words, 'dim')),
    ...view.refusals.flatMap((refusal) => reasonRows(place, refusal)),
  ]
}

const reasonRows = (
  place: FormRowPlace<AgentField>,
  { message, hint }: { readonly message: string; readonly hint: string },
): readonly AgentRow[] => [
  ...messageRows(place, span(message, 'dim')),
  ...messageRows(place, span(`  ${hint}`, 'strong')),
]
