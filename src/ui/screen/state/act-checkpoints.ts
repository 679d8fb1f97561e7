// Keys on a checkpoint: the selected one of a list, or the one whose diff is shown.

import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import { shortId } from '../../../core/model/ids.ts'
import { chosenCheckpoint } from '../timeline/timeline-state.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { actOnFace } from './faces.ts'
import { openAgentForm } from './forms.ts'
import { also, type Step, stay } from './message.ts'
import { openPrompt } from './on-top.ts'
import { findRow } from './selection.ts'

type CheckpointAct = (state: DashboardState, id: string, checkpoint: Checkpoint) => Step

const onChosen =
  (act: CheckpointAct) =>
  (state: DashboardState): Step => {
    const id = state.stage.active
    const timeline = id === null ? undefined : state.timelines[id]
    const chosen = timeline === undefined ? null : chosenCheckpoint(timeline)
    return id === null || chosen === null ? stay(state) : act(state, id, chosen)
  }

export const CHECKPOINT_ACTS: Acts<
  `checkpoints.${'diff' | 'restore' | 'fork' | 'rename'}` | 'compare.against'
> = {
  'checkpoints.diff': (state) => actOnFace(state, 'checkpoints.diff'),
  'compare.against': (state) => actOnFace(state, 'compare.against'),
  'checkpoints.restore': onChosen(beginRestore),
  'checkpoints.fork': onChosen(fork),
  'checkpoints.rename': onChosen(askCheckpointName),
}

/** What is in the sandbox becomes a checkpoint first, and undo goes back to it: nothing is asked. */
function beginRestore(state: DashboardState, id: string, checkpoint: Checkpoint): Step {
  return also(state, {
    do: 'verb',
    verb: { verb: 'restore', id, checkpoint: checkpoint.id },
    words: `restoring ${id.slice(-4)} to checkpoint ${checkpoint.id}`,
    about: id,
  })
}

/** In the form for new agents, which says what it begins with. */
function fork(state: DashboardState, id: string, checkpoint: Checkpoint): Step {
  const row = findRow(state, id)
  if (row === null) return stay(state)
  return openAgentForm(state, {
    title: `Fork of ${shortId(row.record.invocation_id)} at checkpoint ${checkpoint.id}`,
    worktree: row.worktree_name,
    runner: row.record.runner,
    from: { invocation: id, checkpoint: checkpoint.id },
  })
}

function askCheckpointName(state: DashboardState, id: string, checkpoint: Checkpoint): Step {
  const purpose = { for: 'name_checkpoint', id, checkpoint: checkpoint.id } as const
  const label = `name of checkpoint ${checkpoint.id}`
  return stay(
    openPrompt(state, purpose, { label, text: checkpoint.name ?? '', placeholder: 'a named one is kept' }),
  )
}
