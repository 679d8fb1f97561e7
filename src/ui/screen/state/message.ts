// What the state is told (messages), and what it asks for (commands). `update` makes commands of messages; the app
// carries both.

import type { Branches, LandOptions, LogPaths, RunnerView } from '../../../core/facade/agency.ts'
import type { SandboxDiff } from '../../../core/model/change.ts'
import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import type { EnvironmentView } from '../../../core/model/environment-catalog.ts'
import type { AgencyError } from '../../../core/model/errors.ts'
import type { LogBatch } from '../../log/log-file.ts'
import type { Line } from '../../text/line.ts'
import type { DiffWant } from '../diff/diff-state.ts'
import type { Highlighter } from '../diff/highlighter.ts'
import type { AgentOrder } from '../forms/agent-order.ts'
import type { WorktreeOrder } from '../forms/new-worktree.ts'
import type { InputEvent, KeyPress, MouseAction, Pasted } from '../input/input-event.ts'
import type { Action } from '../keys/bindings.ts'
import type { Snapshot } from '../observe/snapshot.ts'
import type { Choice } from '../overlays/choice.ts'
import type { Point, Size } from '../scene.ts'
import type { ComparisonWant } from '../timeline/comparison.ts'
import type { UiMemory } from '../ui-memory.ts'
import type { DashboardState, FoundInPane, PaneFacts, Toast } from './dashboard-state.ts'

export type Message =
  | { readonly kind: 'input'; readonly event: InputEvent }
  /** From the palette; the same as pressing its key. */
  | { readonly kind: 'act'; readonly action: Action }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly kind: 'tick'; readonly now: Date }
  /** A signal or a closed window ends the dashboard, whatever is open in it. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'resize'; readonly size: Size }
  | { readonly kind: 'pane'; readonly id: string; readonly facts: PaneFacts }
  | { readonly kind: 'found'; readonly id: string; readonly found: FoundInPane }
  | { readonly kind: 'began'; readonly task: number; readonly words: string; readonly about: string | null }
  | { readonly kind: 'progress'; readonly task: number; readonly words: string }
  /** `reveal` is an invocation that was brought back and has to be selected. */
  | {
      readonly kind: 'finished'
      readonly task: number
      readonly told: Told | null
      readonly reveal: string | null
    }
  | { readonly kind: 'told'; readonly told: Told }
  | { readonly kind: 'ask'; readonly choice: Choice }
  | { readonly kind: 'log_opened'; readonly id: string; readonly paths: LogPaths }
  | { readonly kind: 'log_batch'; readonly id: string; readonly batch: LogBatch }
  | { readonly kind: 'log_failed'; readonly id: string; readonly error: ToldFailure }
  /** Another slice of a search through the log is due. */
  | { readonly kind: 'log_search'; readonly id: string }
  /** The log is no longer followed, so what was read of it is dropped. */
  | { readonly kind: 'log_closed'; readonly id: string }
  | { readonly kind: 'diff_read'; readonly id: string; readonly diff: SandboxDiff }
  | { readonly kind: 'diff_failed'; readonly id: string; readonly error: ToldFailure }
  | { readonly kind: 'timeline_read'; readonly id: string; readonly checkpoints: readonly Checkpoint[] }
  | { readonly kind: 'timeline_failed'; readonly id: string; readonly error: ToldFailure }
  | {
      readonly kind: 'timeline_compared'
      readonly id: string
      readonly want: ComparisonWant
      readonly diff: SandboxDiff
    }
  | {
      readonly kind: 'timeline_not_compared'
      readonly id: string
      readonly want: ComparisonWant
      readonly error: ToldFailure
    }
  | { readonly kind: 'highlighter'; readonly highlighter: Highlighter }
  | { readonly kind: 'remembered'; readonly memory: UiMemory }
  | {
      readonly kind: 'runners_found'
      readonly runners: readonly RunnerView[]
      readonly environments: readonly EnvironmentView[]
    }
  | { readonly kind: 'branches_found'; readonly branches: Branches }
  /** The prompt came back from the editor. */
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'form_progress'; readonly words: string }
  /** `made` is a worktree that was made although the agent then could not be started. */
  | { readonly kind: 'form_failed'; readonly error: ToldFailure; readonly made: string | null }
  | { readonly kind: 'worktree_made'; readonly id: string }
  /** An invocation was started here. */
  | { readonly kind: 'started'; readonly id: string }

type ToldFailure = Pick<AgencyError, 'message' | 'hint'> & { readonly code: string }

/** A toast without its number and its time. */
export type Told = Pick<Toast, 'level' | 'lines' | 'offers'>

/** A verb of the facade, as data. */
export type Verb =
  | { readonly verb: 'land'; readonly id: string; readonly options: LandOptions }
  | { readonly verb: 'discard'; readonly id: string }
  | { readonly verb: 'stop' | 'kill'; readonly id: string }
  | { readonly verb: 'checkpoint'; readonly id: string }
  | { readonly verb: 'restore'; readonly id: string; readonly checkpoint: number }
  /** null takes its name away. */
  | {
      readonly verb: 'name_checkpoint'
      readonly id: string
      readonly checkpoint: number
      readonly name: string | null
    }
  | { readonly verb: 'rename'; readonly id: string; readonly name: string }
  | { readonly verb: 'undo' | 'redo' }
  | { readonly verb: 'archive'; readonly id: string; readonly force: boolean }

export type Command =
  | { readonly do: 'quit' | 'suspend' | 'redraw' }
  | { readonly do: 'verb'; readonly verb: Verb; readonly words: string; readonly about: string | null }
  | { readonly do: 'type'; readonly pane: string; readonly event: KeyPress | Pasted | MouseAction }
  | { readonly do: 'wheel'; readonly pane: string; readonly event: MouseAction }
  | { readonly do: 'scroll'; readonly pane: string; readonly lines: number | 'end' | 'page_up' | 'page_down' }
  /** Cells of the pane; null drops the selection. */
  | {
      readonly do: 'select'
      readonly pane: string
      readonly range: { readonly from: Point; readonly to: Point } | null
    }
  | { readonly do: 'copy_selection'; readonly pane: string }
  /** An empty text ends the search. */
  | {
      readonly do: 'find'
      readonly pane: string
      readonly text: string
      readonly direction: 'older' | 'newer'
    }
  | { readonly do: 'copy'; readonly text: string; readonly what: string }
  | { readonly do: 'edit'; readonly path: string }
  | { readonly do: 'find_runners' | 'find_branches' }
  | { readonly do: 'start'; readonly order: AgentOrder }
  | { readonly do: 'make_worktree'; readonly order: WorktreeOrder }
  | { readonly do: 'edit_text'; readonly text: string }
  | { readonly do: 'remember'; readonly memory: UiMemory }
  | { readonly do: 'read_diff'; readonly id: string; readonly want: DiffWant }
  | { readonly do: 'read_timeline'; readonly id: string }
  | { readonly do: 'compare'; readonly id: string; readonly want: ComparisonWant }
  | { readonly do: 'shell'; readonly path: string }

export interface Step {
  readonly state: DashboardState
  readonly commands: readonly Command[]
}

export const stay = (state: DashboardState): Step => ({ state, commands: [] })
export const also = (state: DashboardState, ...commands: readonly Command[]): Step => ({ state, commands })

export const asNote = (...lines: readonly Line[]): Told => ({ level: 'note', lines })
