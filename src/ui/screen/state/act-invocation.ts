// Keys on an invocation: the selected one, or the one that has the keyboard on the stage.

import { shortId } from '../../../core/model/ids.ts'
import { isActive } from '../../../core/model/invocation.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { Acts } from './act.ts'
import type { DashboardState, Face } from './dashboard-state.ts'
import { openAgentForm } from './forms.ts'
import { also, type Command, type Step, stay, type Verb } from './message.ts'
import { ask, openPrompt } from './on-top.ts'
import { beginDiff } from './receive-faces.ts'
import { currentRow, findRow } from './selection.ts'
import { usualFace } from './stage.ts'
import { reopenTimeline } from './timeline-face.ts'

type InvocationAct = (state: DashboardState, row: ObservedInvocation) => Step
type InvocationKeys =
  | 'focus'
  | 'diff'
  | 'land'
  | 'discard'
  | 'log'
  | 'stop'
  | 'kill'
  | 'checkpoint'
  | 'checkpoints'

const onRow =
  (act: InvocationAct) =>
  (state: DashboardState): Step => {
    const row = currentRow(state)
    return row === null ? stay(state) : act(state, row)
  }

export const INVOCATION_ACTS: Acts<`invocation.${InvocationKeys | 'reply' | 'open' | 'rename' | 'pin'}`> = {
  'invocation.focus': onRow((state, row) => stay(showFace(state, row, usualFace(row)))),
  'invocation.reply': onRow(reply),
  'invocation.log': onRow((state, row) => stay(showFace(state, row, 'log'))),
  'invocation.diff': onRow((state, row) => beginDiff(showFace(state, row, 'diff'), row)),
  'invocation.land': onRow((state, row) => also(state, landCommand(row))),
  'invocation.discard': onRow(discard),
  'invocation.stop': onRow((state, row) =>
    also(state, verbCommand(row, { verb: 'stop', id: row.record.invocation_id }, 'stopping')),
  ),
  'invocation.kill': onRow(kill),
  'invocation.checkpoint': onRow((state, row) =>
    also(
      state,
      verbCommand(row, { verb: 'checkpoint', id: row.record.invocation_id }, 'keeping the state of'),
    ),
  ),
  'invocation.checkpoints': onRow((state, row) => reopenTimeline(showFace(state, row, 'checkpoints'), row)),
  'invocation.open': onRow((state, { path }) =>
    path === null ? stay(state) : also(state, { do: 'edit', path }),
  ),
  'invocation.rename': onRow((state, row) => stay(askAgentName(state, row))),
  'invocation.pin': onRow((state, row) => stay(togglePin(state, row.record.invocation_id))),
}

/** Gives it the keyboard, too. */
export function showFace(state: DashboardState, { record }: ObservedInvocation, face: Face): DashboardState {
  const id = record.invocation_id
  return { ...state, stage: { ...state.stage, active: id, faces: { ...state.stage.faces, [id]: face } } }
}

export function verbCommand({ record }: ObservedInvocation, verb: Verb, doing: string): Command {
  return { do: 'verb', verb, words: `${doing} ${shortId(record.invocation_id)}`, about: record.invocation_id }
}

/** In its terminal while it runs; one that has ended is followed by an agent that goes on with its session. */
function reply(state: DashboardState, row: ObservedInvocation): Step {
  const { record, worktree_name: worktree } = row
  if (isActive(record)) return stay(showFace(state, row, usualFace(row)))
  const { invocation_id: resume, runner } = record
  return openAgentForm(state, { title: `Follow up on ${shortId(resume)}`, worktree, runner, resume })
}

/** Uncommitted work that is alone lands as one commit, since nothing is left out by it. */
function landCommand(row: ObservedInvocation): Command {
  const options = { apply: 'when_alone' } as const
  return verbCommand(row, { verb: 'land', id: row.record.invocation_id, options }, 'landing')
}

/** Its work is kept for undo, but a run that is ended does not come back. */
function discard(state: DashboardState, row: ObservedInvocation): Step {
  const command = verbCommand(row, { verb: 'discard', id: row.record.invocation_id }, 'discarding')
  if (!isActive(row.record)) return also(state, command)
  return stay(
    ask(state, {
      title: `Discard ${shortId(row.record.invocation_id)}?`,
      lines: ['It is still running and is stopped first.', 'Its work is kept for undo; the run is not.'],
      ways: [{ key: 'y', label: 'stop and discard it', commands: [command] }],
    }),
  )
}

function kill(state: DashboardState, row: ObservedInvocation): Step {
  const command = verbCommand(row, { verb: 'kill', id: row.record.invocation_id }, 'killing')
  return stay(
    ask(state, {
      title: `Kill ${shortId(row.record.invocation_id)}?`,
      lines: ['It and all of its processes end at once.', 'Its files stay as they are then.'],
      ways: [{ key: 'y', label: 'kill it', commands: [command] }],
    }),
  )
}

function askAgentName(state: DashboardState, { record }: ObservedInvocation): DashboardState {
  const { invocation_id: id, invocation_name: text, runner } = record
  return openPrompt(state, { for: 'rename', id }, { label: 'name', text, placeholder: runner })
}

/** What is pinned keeps its slot, as long as it is there; one more is left for what is selected. */
function togglePin(state: DashboardState, id: string): DashboardState {
  const { count } = state.stage
  const pinned = state.stage.pinned.filter((one) => findRow(state, one) !== null)
  const next = (pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id]).slice(-4)
  const slots = next.length >= 2 ? 4 : next.length === 1 && count === 1 ? 2 : count
  return { ...state, stage: { ...state.stage, pinned: next, count: slots, zoomed: false } }
}
