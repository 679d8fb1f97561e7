// Reads diffs and lists of checkpoints when they are asked for, one at a time for each invocation. Only the answer to
// the last request counts.

import type { Agency } from '../../../core/facade/agency.ts'
import type { DiffWant } from '../diff/diff-state.ts'
import { createHighlighter } from '../diff/highlighter.ts'
import type { Message } from '../state/message.ts'
import type { ComparisonWant } from '../timeline/comparison.ts'
import { Latest } from './latest.ts'
import { messageOf } from './log-keeper.ts'

type Dispatch = (message: Message) => void

export class DiffReader {
  readonly #diffs: Latest<DiffWant>
  readonly #comparisons: Latest<ComparisonWant>
  readonly #timelines: Latest<null>
  readonly #dispatch: Dispatch
  #colouring = false

  constructor(agency: Agency, dispatch: Dispatch) {
    this.#dispatch = dispatch
    this.#diffs = new Latest((id, want) => readWantedDiff(agency, dispatch, { id, want }))
    this.#comparisons = new Latest((id, want) => readComparedDiff(agency, dispatch, { id, want }))
    this.#timelines = new Latest((id) => readTimeline(agency, dispatch, id))
  }

  read(id: string, want: DiffWant): void {
    this.#colour()
    this.#diffs.ask(id, want)
  }

  compare(id: string, want: ComparisonWant): void {
    this.#colour()
    this.#comparisons.ask(id, want)
  }

  list(id: string): void {
    this.#timelines.ask(id, null)
  }

  /** Loads the colours once, before the first diff is shown. */
  #colour(): void {
    if (this.#colouring) return
    this.#colouring = true
    void createHighlighter().then((highlighter) => this.#dispatch({ kind: 'highlighter', highlighter }))
  }
}

interface AskedDiff<Want> {
  readonly id: string
  readonly want: Want
}

async function readWantedDiff(
  agency: Agency,
  dispatch: Dispatch,
  { id, want }: AskedDiff<DiffWant>,
): Promise<void> {
  try {
    dispatch({ kind: 'diff_read', id, diff: await agency.diffInvocation(id, want) })
  } catch (error) {
    dispatch({ kind: 'diff_failed', id, error: messageOf(error) })
  }
}

async function readComparedDiff(
  agency: Agency,
  dispatch: Dispatch,
  { id, want }: AskedDiff<ComparisonWant>,
): Promise<void> {
  try {
    const diff = await agency.diffCheckpoint(id, want.checkpoint, want.against)
    dispatch({ kind: 'timeline_compared', id, want, diff })
  } catch (error) {
    dispatch({ kind: 'timeline_not_compared', id, want, error: messageOf(error) })
  }
}

async function readTimeline(agency: Agency, dispatch: Dispatch, id: string): Promise<void> {
  try {
    const { checkpoints } = await agency.listCheckpoints(id)
    dispatch({ kind: 'timeline_read', id, checkpoints })
  } catch (error) {
    dispatch({ kind: 'timeline_failed', id, error: messageOf(error) })
  }
}
