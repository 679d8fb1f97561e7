// The loop. What the person types and what is observed become messages; each message makes a new state; the state is
// drawn as a scene, and what it wants (terminals, logs, diffs) is started. Nothing here waits for a disk or for git.

import type { Agency } from '../../../core/facade/agency.ts'
import { isActive } from '../../../core/model/invocation.ts'
import type { Canvas } from '../canvas.ts'
import { repeatUnheld } from '../observe/repeat-unheld.ts'
import type { Observer } from '../observe/snapshot.ts'
import type { Pane } from '../pane/pane.ts'
import type { Size } from '../scene.ts'
import type { DashboardState } from '../state/dashboard-state.ts'
import { keyboardPane } from '../state/groups.ts'
import type { Command, Message } from '../state/message.ts'
import { selectedRow } from '../state/selection.ts'
import { paneSize, placeOf, stagedPanes } from '../state/stage.ts'
import { update } from '../state/update.ts'
import type { TerminalSession } from '../tty/terminal-session.ts'
import { viewDashboard } from '../views/view-dashboard.ts'
import { visibleIds } from '../views/visible-ids.ts'
import { CommandRunner, type Programs } from './command-runner.ts'
import { DiffReader } from './diff-reader.ts'
import { FormWorker } from './form-worker.ts'
import { LogKeeper } from './log-keeper.ts'
import { PaneKeeper } from './pane-keeper.ts'

export interface DashboardParts {
  readonly agency: Agency
  readonly session: TerminalSession
  readonly canvas: Canvas
  readonly observer: Observer
  readonly openPane: (id: string, size: Size) => Promise<Pane>
  readonly programs: Programs
  readonly initial: DashboardState
  readonly now: () => Date
}

/** Milliseconds between two steps of a spinner. */
const TICK = 250
/**
 * The same when nobody has pressed a key for a while: from afar one only sees that the spinner moves. Also while an
 * agent has the keyboard, because that is where the person looks.
 */
const CALM_TICK = 1000
const CALM_AFTER = 10_000
/** Milliseconds between two looks at the clock when nothing moves. */
const SLOW_TICK = 5000

/**
 * Resolves when the person leaves. The terminal still belongs to the dashboard then: whoever opened the session closes
 * it.
 */
export function runDashboard(parts: DashboardParts): Promise<void> {
  return new Promise((resolve) => new Dashboard(parts, resolve).begin())
}

class Dashboard {
  readonly #parts: DashboardParts
  readonly #leave: () => void
  readonly #panes: PaneKeeper
  readonly #logs: LogKeeper
  readonly #forms: FormWorker
  readonly #commands: CommandRunner
  #state: DashboardState
  #drawing: NodeJS.Immediate | null = null
  #stopTicking = (): void => {}
  #heardAt = performance.now()

  constructor(parts: DashboardParts, leave: () => void) {
    const { agency, canvas, openPane, initial, session, observer } = parts
    this.#parts = parts
    this.#leave = leave
    this.#state = initial
    const dispatch = this.#dispatch
    this.#panes = new PaneKeeper({
      agency,
      canvas,
      openPane,
      onFacts: (id, facts) => dispatch({ kind: 'pane', id, facts }),
    })
    this.#logs = new LogKeeper({ agency, dispatch })
    this.#forms = new FormWorker({
      agency,
      session,
      canvas,
      observer,
      programs: parts.programs,
      dispatch,
      paneSize: () => paneSize(this.#state),
    })
    this.#commands = new CommandRunner({
      diffs: new DiffReader(agency, dispatch),
      forms: this.#forms,
      agency,
      session,
      canvas,
      observer,
      panes: this.#panes,
      programs: parts.programs,
      dispatch,
      placeOf: (pane) => placeOf(this.#state, pane),
      quit: this.#quit,
    })
  }

  begin(): void {
    const { session, canvas, observer } = this.#parts
    session.onInput((event) => {
      this.#heardAt = performance.now()
      this.#dispatch({ kind: 'input', event })
    })
    session.onResize((size) => {
      canvas.resize(size)
      this.#dispatch({ kind: 'resize', size })
    })
    session.onResume(() => canvas.repaint())
    session.onEnd(() => this.#dispatch({ kind: 'ended' }))
    observer.onChange((snapshot) => this.#dispatch({ kind: 'snapshot', snapshot }))
    this.#draw()
    void this.#forms.recall()
    this.#stopTicking = repeatUnheld({
      every: () => this.#untilTick(),
      heldFor: observer.heldFor,
      work: () => this.#dispatch({ kind: 'tick', now: this.#parts.now() }),
    })
  }

  readonly #dispatch = (message: Message): void => {
    const { state, commands } = update(this.#state, message)
    if (state !== this.#state) {
      this.#state = state
      this.#drawing ??= setImmediate(this.#draw)
    }
    for (const command of commands) this.#carryOut(command)
  }

  #carryOut(command: Command): void {
    this.#commands.run(command)
  }

  /** Many messages in one turn make only one scene. */
  readonly #draw = (): void => {
    this.#drawing = null
    const { canvas, observer } = this.#parts
    canvas.show(viewDashboard(this.#state))
    this.#panes.sync(stagedPanes(this.#state))
    this.#logs.sync(this.#state)
    observer.setVisible(visibleIds(this.#state))
    observer.select(selectedRow(this.#state)?.record.invocation_id ?? null)
    observer.showArchived(this.#state.tree.archived)
  }

  #untilTick(): number {
    const { snapshot, tasks, toasts } = this.#state
    if (tasks.length > 0 || toasts.length > 0) return TICK
    if (!snapshot.invocations.some(({ record }) => isActive(record))) return SLOW_TICK
    if (keyboardPane(this.#state) !== null) return CALM_TICK
    return performance.now() - this.#heardAt < CALM_AFTER ? TICK : CALM_TICK
  }

  readonly #quit = (): void => {
    this.#stopTicking()
    if (this.#drawing !== null) clearImmediate(this.#drawing)
    this.#panes.close()
    this.#logs.close()
    void this.#forms.settle().then(this.#leave)
  }
}
