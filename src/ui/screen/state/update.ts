// One message makes one new state, and commands. Pure: the same message on the same state always gives the same step.

import { act } from './act.ts'
import type { DashboardState, PaneFacts, Task, Toast } from './dashboard-state.ts'
import { isFormMessage, leaveForms, receiveForm, showAwaited } from './forms.ts'
import { type Message, type Step, stay, type Told } from './message.ts'
import { ask } from './on-top.ts'
import { keepStage, recallStage } from './recall-stage.ts'
import { followRows, receiveFace } from './receive-faces.ts'
import { routeInput } from './route-input.ts'
import { findRow, keepSelection, scrolledToSelection } from './selection.ts'
import { followTimelines } from './timeline-face.ts'

/**
 * If a message changes nothing, as most keys do, nothing has to follow from it either: that was done when the state
 * began.
 */
export function update(state: DashboardState, message: Message): Step {
  const step = take(state, message)
  const asBefore = step.state === state && !step.commands.some(({ do: what }) => what === 'quit')
  return asBefore ? step : keepStage(followTimelines(step))
}

function take(state: DashboardState, message: Message): Step {
  if (isFormMessage(message)) return receiveForm(state, message, tell)
  switch (message.kind) {
    case 'input':
      return routeInput(state, message.event)
    case 'act':
      return act(state, message.action)
    case 'resize':
      return stay(scrolledToSelection({ ...state, size: message.size }))
    case 'ended':
      return leaveForms(state)
    case 'tick':
      return stay(tick(state, message.now))
    case 'snapshot':
      return followRows(state, observe(state, message.snapshot))
    case 'pane':
      return stay(learn(state, message))
    case 'found':
      return stay({ ...state, found: { ...state.found, [message.id]: message.found } })
    case 'began':
      return stay(begin(state, message))
    case 'progress':
      return stay(
        withTasks(state, (task) => (task.id === message.task ? { ...task, progress: message.words } : task)),
      )
    case 'finished':
      return stay(endTask(state, message))
    case 'told':
      return stay(tell(state, message.told))
    case 'remembered':
      return stay(recallStage({ ...state, memory: message.memory, recalled: true }))
    case 'ask':
      return stay(ask(state, message.choice))
    case 'highlighter':
    case 'log_opened':
    case 'log_batch':
    case 'log_failed':
    case 'log_search':
    case 'log_closed':
    case 'diff_read':
    case 'diff_failed':
    case 'timeline_read':
    case 'timeline_failed':
    case 'timeline_compared':
    case 'timeline_not_compared':
      return stay(receiveFace(state, message))
  }
}

/** A terminal reports its facts with every byte, but mostly they are known already. */
function learn(state: DashboardState, { id, facts }: Extract<Message, { kind: 'pane' }>): DashboardState {
  const known = state.panes[id]
  if (known !== undefined && sameFacts(known, facts)) return state
  return { ...state, panes: { ...state.panes, [id]: facts } }
}

const sameFacts = (a: PaneFacts, b: PaneFacts): boolean =>
  a.state === b.state &&
  a.title === b.title &&
  a.scrolled === b.scrolled &&
  a.mouse === b.mouse &&
  a.alternate_screen === b.alternate_screen &&
  a.failure === b.failure

function tick(state: DashboardState, now: Date): DashboardState {
  const toasts = state.toasts.filter(({ until }) => until > now.getTime())
  return {
    ...state,
    now,
    tick: state.tick + 1,
    toasts: toasts.length === state.toasts.length ? state.toasts : toasts,
  }
}

function observe(state: DashboardState, snapshot: DashboardState['snapshot']): DashboardState {
  const after = keepSelection(state, { ...state, snapshot })
  const awaited = after.awaited
  return awaited === null || findRow(after, awaited.id) === null ? after : showAwaited(after, awaited)
}

function begin(
  state: DashboardState,
  { task, words, about }: Extract<Message, { kind: 'began' }>,
): DashboardState {
  const begun: Task = { id: task, words, about, progress: '', since: state.now.getTime() }
  return { ...state, tasks: [...state.tasks, begun] }
}

const withTasks = (state: DashboardState, change: (task: Task) => Task): DashboardState => ({
  ...state,
  tasks: state.tasks.map(change),
})

function endTask(
  state: DashboardState,
  { task: id, told, reveal }: Extract<Message, { kind: 'finished' }>,
): DashboardState {
  const ended = { ...state, tasks: state.tasks.filter((task) => task.id !== id) }
  const after = reveal === null ? ended : showAwaited(ended, { id: reveal, focus: false })
  return told === null ? after : tell(after, told)
}

/** Milliseconds that a toast stays: long enough to be read. */
const STAYS: Readonly<Record<Toast['level'], number>> = { done: 6000, note: 6000, failed: 12_000 }
const MOST_TOASTS = 3

function tell(state: DashboardState, told: Told): DashboardState {
  const id = (state.toasts.at(-1)?.id ?? 0) + 1
  const toast: Toast = { ...told, id, until: state.now.getTime() + STAYS[told.level] }
  return { ...state, toasts: [...state.toasts, toast].slice(-MOST_TOASTS) }
}
