// Carries out the commands that the state asks for.

import type { Agency } from '../../../core/facade/agency.ts'
import { type InvocationId, parseInvocationId } from '../../../core/model/ids.ts'
import { unreachable } from '../../../core/model/unreachable.ts'
import type { Canvas } from '../canvas.ts'
import { encodeInput } from '../input/encode-input.ts'
import type { KeyPress, MouseAction, Pasted } from '../input/input-event.ts'
import { namedKey } from '../input/key-press.ts'
import type { Observer } from '../observe/snapshot.ts'
import type { Rect } from '../scene.ts'
import type { Command, Message, Verb } from '../state/message.ts'
import type { TerminalSession } from '../tty/terminal-session.ts'
import { carryOutVerb, tellError } from './carry-out.ts'
import type { DiffReader } from './diff-reader.ts'
import { type FormCommand, type FormWorker, isFormCommand } from './form-worker.ts'
import type { PaneKeeper } from './pane-keeper.ts'

export interface CommandDoors {
  readonly agency: Agency
  readonly session: TerminalSession
  readonly canvas: Canvas
  readonly observer: Observer
  readonly panes: PaneKeeper
  readonly diffs: DiffReader
  readonly forms: FormWorker
  readonly programs: Programs
  readonly dispatch: (message: Message) => void
  /** Where a pane is on the screen now; null while it is not shown. */
  readonly placeOf: (pane: string) => Rect | null
  readonly quit: () => void
}

/** Programs that get the terminal for a while. */
export interface Programs {
  /** Resolves when the editor has ended. Throws E_EDITOR_FAILED. */
  edit(path: string): Promise<void>
  shell(path: string): Promise<void>
}

/** Lines per turn of the wheel, for a program that has the whole screen and does not take the mouse. */
const WHEEL_KEYS = 3

export class CommandRunner {
  readonly #doors: CommandDoors
  #tasks = 0

  constructor(doors: CommandDoors) {
    this.#doors = doors
  }

  run(command: Command): void {
    if (command.do === 'verb') void this.#carryOut(command)
    else if (isFormCommand(command)) this.#doors.forms.run(command)
    else if ('pane' in command) this.#onPane(command)
    else this.#onScreen(command)
  }

  #onScreen(command: Exclude<Command, { pane: string } | { do: 'verb' } | FormCommand>): void {
    const { session, canvas, diffs, quit, programs } = this.#doors
    switch (command.do) {
      case 'read_diff':
        diffs.read(command.id, command.want)
        break
      case 'compare':
        diffs.compare(command.id, command.want)
        break
      case 'read_timeline':
        diffs.list(command.id)
        break
      case 'quit':
        quit()
        break
      case 'suspend':
        session.suspend()
        break
      case 'redraw':
        canvas.repaint()
        break
      case 'copy':
        this.#copy(command.text, command.what)
        break
      case 'edit':
        void this.#lend(() => programs.edit(command.path))
        break
      case 'shell':
        void this.#lend(() => programs.shell(command.path))
        break
      default:
        unreachable(command)
    }
  }

  #onPane(command: Extract<Command, { pane: string }>): void {
    const { panes } = this.#doors
    switch (command.do) {
      case 'type':
        this.#type(command.pane, command.event)
        break
      case 'wheel':
        this.#turnWheel(command.pane, command.event)
        break
      case 'scroll':
        this.#scroll(command.pane, command.lines)
        break
      case 'select':
        panes.get(command.pane)?.select(command.range)
        break
      case 'find':
        this.#find(command)
        break
      case 'copy_selection':
        this.#copySelection(command.pane)
        break
      default:
        unreachable(command)
    }
  }

  async #carryOut({ verb, words, about }: Extract<Command, { do: 'verb' }>): Promise<void> {
    const { agency, dispatch, observer } = this.#doors
    this.#tasks += 1
    const task = this.#tasks
    dispatch({ kind: 'began', task, words, about })
    const outcome = await carryOutVerb(agency, verb, (progress) =>
      dispatch({ kind: 'progress', task, words: progress }),
    )
    const reveal = 'told' in outcome ? (outcome.reveal ?? null) : null
    dispatch({ kind: 'finished', task, reveal, told: 'told' in outcome ? outcome.told : null })
    if ('ask' in outcome) dispatch({ kind: 'ask', choice: outcome.ask })
    observer.refresh(...refreshed(verb))
  }

  #type(id: string, event: KeyPress | Pasted | MouseAction): void {
    this.#doors.panes.whenJoined(id, () => this.#typeNow(id, event))
  }

  #typeNow(id: string, event: KeyPress | Pasted | MouseAction): void {
    const { panes, placeOf, canvas, observer } = this.#doors
    const pane = panes.get(id)
    const place = placeOf(id)
    if (pane === null || place === null) return
    const bytes = encodeInput(event, pane.modes, place)
    if (bytes === null) return
    panes.write(id, bytes)
    canvas.expectEcho(id)
    observer.hold()
  }

  /** Sends arrow keys, as terminals do for programs that do not take the mouse. */
  #turnWheel(id: string, event: MouseAction): void {
    const key = namedKey(event.action === 'wheel_up' ? 'up' : 'down')
    for (let turn = 0; turn < WHEEL_KEYS; turn += 1) this.#type(id, key)
  }

  #scroll(id: string, lines: number | 'end' | 'page_up' | 'page_down'): void {
    const pane = this.#doors.panes.get(id)
    if (pane === null) return
    const page = Math.max(1, pane.size.rows - 2)
    if (lines === 'end') pane.scrollToEnd()
    else pane.scroll(lines === 'page_up' ? page : lines === 'page_down' ? -page : lines)
  }

  #find({ pane: id, text, direction }: Extract<Command, { do: 'find' }>): void {
    const { panes, dispatch } = this.#doors
    const pane = panes.get(id)
    if (pane === null) return
    const place = pane.find(text, direction)
    if (text === '') pane.scrollToEnd()
    dispatch({ kind: 'found', id, found: { text, place } })
  }

  #copySelection(id: string): void {
    const text = this.#doors.panes.get(id)?.selectedText() ?? ''
    if (text !== '') this.#copy(text, text.includes('\n') ? `${text.split('\n').length} lines` : 'the text')
  }

  #copy(text: string, what: string): void {
    this.#doors.session.copy(text)
    this.#doors.dispatch({ kind: 'told', told: { level: 'done', lines: [`copied ${what}`] } })
  }

  async #lend(run: () => Promise<void>): Promise<void> {
    const { session, canvas, dispatch, observer } = this.#doors
    canvas.pause()
    try {
      await session.lend(run)
    } catch (error) {
      dispatch({ kind: 'told', told: tellError(error) })
    } finally {
      canvas.repaint()
      observer.refresh()
    }
  }
}

/** The record that a verb has changed; empty if it may have changed any. */
function refreshed(verb: Verb): [] | [id: InvocationId] {
  return 'id' in verb && verb.verb !== 'archive' ? [parseInvocationId(verb.id)] : []
}
