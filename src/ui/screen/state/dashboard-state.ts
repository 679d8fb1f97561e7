// All that the dashboard knows and shows, as one value. None of it is on disk: records are in the snapshot.

import type { Branches, RunnerView } from '../../../core/facade/agency.ts'
import type { EnvironmentView } from '../../../core/model/environment-catalog.ts'
import type { Line } from '../../text/line.ts'
import type { DiffState } from '../diff/diff-state.ts'
import type { Highlighter } from '../diff/highlighter.ts'
import type { Binding } from '../keys/bindings.ts'
import type { LogState } from '../log/log-state.ts'
import type { Snapshot } from '../observe/snapshot.ts'
import type { PaneFound } from '../pane/pane.ts'
import type { Point, Rect, Size } from '../scene.ts'
import type { TimelineState } from '../timeline/timeline-state.ts'
import { invocationKey } from '../tree/tree-items.ts'
import { NO_UI_MEMORY, type UiMemory } from '../ui-memory.ts'
import type { Overlay } from './on-top.ts'

/** What a slot of the stage shows of an invocation. */
export type Face = 'terminal' | 'log' | 'diff' | 'checkpoints'

export interface TreeState {
  /** Key of a row (see tree/tree-items.ts); null before there is any. */
  readonly selected: string | null
  /** Keys of rows whose children are hidden. */
  readonly folded: ReadonlySet<string>
  readonly filter: string
  /** Whether archived worktrees and closed invocations are shown too. */
  readonly archived: boolean
  /** First line that is shown. */
  readonly top: number
}

export interface StageState {
  readonly count: 1 | 2 | 4
  /** Ids of invocations. The oldest pin comes first. */
  readonly pinned: readonly string[]
  /** The invocation whose slot has the keyboard; null while the tree has it. */
  readonly active: string | null
  readonly zoomed: boolean
  /** Faces that the person has chosen instead of the usual ones. */
  readonly faces: Readonly<Record<string, Face>>
}

/** What the app tells of a terminal on the stage. */
export interface PaneFacts {
  readonly state: 'joining' | 'live' | 'ended' | 'failed'
  readonly title: string
  /** Lines scrolled back. */
  readonly scrolled: number
  /** Whether the program takes the mouse. */
  readonly mouse: boolean
  readonly alternate_screen: boolean
  /** Why it could not be joined. */
  readonly failure: string | null
}

export interface FoundInPane {
  readonly text: string
  /** null if it was not found. */
  readonly place: PaneFound | null
}

export interface Toast {
  readonly id: number
  readonly level: 'done' | 'note' | 'failed'
  readonly lines: readonly Line[]
  /** The way back from what was done. Valid even before the operation has been observed. */
  readonly offers?: 'undo' | 'redo'
  /** Milliseconds since the epoch. It goes then, or at the next key if it is older than a moment. */
  readonly until: number
}

/** A verb that is being carried out. */
export interface Task {
  readonly id: number
  /** What is being done: `landing b7c9`. */
  readonly words: string
  /** What it last reported; empty before. */
  readonly progress: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** The invocation or worktree whose row shows it. */
  readonly about: string | null
}

export interface DashboardState {
  readonly size: Size
  readonly now: Date
  readonly tick: number
  /** Name of the repository's directory. */
  readonly repository: string
  readonly snapshot: Snapshot
  readonly tree: TreeState
  readonly stage: StageState
  readonly panes: Readonly<Record<string, PaneFacts>>
  /** By invocation: what is searched for in its terminal. */
  readonly found: Readonly<Record<string, FoundInPane>>
  readonly logs: Readonly<Record<string, LogState>>
  readonly diffs: Readonly<Record<string, DiffState>>
  readonly timelines: Readonly<Record<string, TimelineState>>
  /** null until it is loaded. */
  readonly highlighter: Highlighter | null
  readonly toasts: readonly Toast[]
  readonly tasks: readonly Task[]
  /** Why the last key did nothing; null if it did something. */
  readonly hint: string | null
  readonly overlay: Overlay | null
  readonly memory: UiMemory
  /** Whether the memory of the last run has been read. Before that, nothing may be written over it. */
  readonly recalled: boolean
  /** As configured. */
  readonly default_runner: string | undefined
  /** null until they have been looked for. */
  readonly runners: readonly RunnerView[] | null
  /** null while they are being looked at, as the runners are. */
  readonly environments: readonly EnvironmentView[] | null
  readonly branches: Branches | null
  readonly version: string
  /** Whether the person's terminal has the focus, as far as it tells. Otherwise git rests. */
  readonly looked_at: boolean
  /** A drag over a terminal that has begun. */
  readonly drag: Drag | null
  /** An invocation that was started or brought back here and has not been observed yet. Once it is, it is selected. */
  readonly awaited: Awaited | null
  readonly bindings: readonly Binding[]
  readonly ascii: boolean
}

export interface Awaited {
  readonly id: string
  /** It gets the keyboard, too. */
  readonly focus: boolean
}

export interface Drag {
  readonly pane: string
  /** Cell of the pane. */
  readonly from: Point
  readonly inner: Rect
}

export interface Beginning {
  readonly size: Size
  readonly now: Date
  readonly repository: string
  readonly snapshot: Snapshot
  readonly bindings: readonly Binding[]
  readonly ascii: boolean
  readonly version: string
  /** As configured. */
  readonly default_runner: string | undefined
  /** A note that is there from the beginning. */
  readonly greeting?: readonly Line[]
  /** Id of the invocation that is selected at first. */
  readonly selected?: string | null
}

/** Milliseconds in which the person can read a greeting and try what it says. */
const GREETING_STAYS = 60_000

export const beginState = ({ greeting, selected = null, ...beginning }: Beginning): DashboardState => ({
  ...beginning,
  tick: 0,
  tree: {
    selected: selected === null ? null : invocationKey(selected),
    folded: new Set(),
    filter: '',
    archived: false,
    top: 0,
  },
  stage: { count: 1, pinned: [], active: null, zoomed: false, faces: {} },
  panes: {},
  found: {},
  logs: {},
  diffs: {},
  timelines: {},
  highlighter: null,
  toasts:
    greeting === undefined
      ? []
      : [{ id: 1, level: 'note', lines: greeting, until: beginning.now.getTime() + GREETING_STAYS }],
  tasks: [],
  hint: null,
  overlay: null,
  memory: NO_UI_MEMORY,
  recalled: false,
  runners: null,
  environments: null,
  branches: null,
  looked_at: true,
  drag: null,
  awaited: null,
})
