// Does what the forms ask for: looks for runners and branches, makes worktrees, starts agents, opens a prompt in the
// editor, and stores what is to be remembered.

import { promises as files } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agency } from '../../../core/facade/agency.ts'
import { unreachable } from '../../../core/model/unreachable.ts'
import type { Canvas } from '../canvas.ts'
import type { AgentOrder } from '../forms/agent-order.ts'
import type { WorktreeOrder } from '../forms/new-worktree.ts'
import type { Observer } from '../observe/snapshot.ts'
import type { Size } from '../scene.ts'
import type { Command, Message } from '../state/message.ts'
import type { TerminalSession } from '../tty/terminal-session.ts'
import { parseUiMemory } from '../ui-memory.ts'
import { tellError } from './carry-out.ts'
import type { Programs } from './command-runner.ts'
import { messageOf } from './log-keeper.ts'

const FORM_COMMANDS = [
  'find_runners',
  'find_branches',
  'start',
  'make_worktree',
  'edit_text',
  'remember',
] as const

export type FormCommand = Extract<Command, { do: (typeof FORM_COMMANDS)[number] }>

export const isFormCommand = (command: Command): command is FormCommand =>
  (FORM_COMMANDS as readonly string[]).includes(command.do)

export interface FormDoors {
  readonly agency: Agency
  readonly session: TerminalSession
  readonly canvas: Canvas
  readonly observer: Observer
  readonly programs: Programs
  readonly dispatch: (message: Message) => void
  /** The size of the terminal that a new agent will have. */
  readonly paneSize: () => Size
}

export class FormWorker {
  readonly #doors: FormDoors
  /** One write after another, so that the last one wins. */
  #remembering: Promise<void> = Promise.resolve()

  constructor(doors: FormDoors) {
    this.#doors = doors
  }

  run(command: FormCommand): void {
    switch (command.do) {
      case 'find_runners':
        void this.#findRunners()
        break
      case 'find_branches':
        void this.#findBranches()
        break
      case 'start':
        void this.#start(command.order)
        break
      case 'make_worktree':
        void this.#makeWorktree(command.order)
        break
      case 'edit_text':
        void this.#editText(command.text)
        break
      case 'remember':
        this.#remember(command.memory)
        break
      default:
        unreachable(command)
    }
  }

  /** Reads what was remembered in an earlier run. */
  async recall(): Promise<void> {
    const { agency, dispatch } = this.#doors
    dispatch({ kind: 'remembered', memory: parseUiMemory(await agency.uiMemory()) })
  }

  /** Resolves when everything that is to be remembered has been written. */
  async settle(): Promise<void> {
    await this.#remembering
  }

  async #findRunners(): Promise<void> {
    const { agency, dispatch } = this.#doors
    try {
      const [runners, environments] = await Promise.all([agency.runners(), agency.environments()])
      dispatch({ kind: 'runners_found', runners, environments })
    } catch (error) {
      dispatch({ kind: 'told', told: tellError(error) })
    }
  }

  async #findBranches(): Promise<void> {
    const { agency, dispatch } = this.#doors
    try {
      dispatch({ kind: 'branches_found', branches: await agency.listBranches() })
    } catch (error) {
      dispatch({ kind: 'told', told: tellError(error) })
    }
  }

  async #start({ new_worktree, request }: AgentOrder): Promise<void> {
    const { agency, dispatch, observer, paneSize } = this.#doors
    let made: string | null = null
    try {
      if (new_worktree !== null) {
        dispatch({ kind: 'form_progress', words: `making the worktree ${new_worktree}` })
        await agency.createWorktree({ name: new_worktree })
        made = new_worktree
      }
      const record = await agency.startInvocation({ ...request, ...paneSize() }, (words) =>
        dispatch({ kind: 'form_progress', words }),
      )
      dispatch({ kind: 'started', id: record.invocation_id })
    } catch (error) {
      dispatch({ kind: 'form_failed', error: messageOf(error), made })
    } finally {
      observer.refresh()
    }
  }

  async #makeWorktree({ name, parent }: WorktreeOrder): Promise<void> {
    const { agency, dispatch, observer } = this.#doors
    try {
      const { worktree_id } = await agency.createWorktree({ name, parent })
      dispatch({ kind: 'worktree_made', id: worktree_id })
    } catch (error) {
      dispatch({ kind: 'form_failed', error: messageOf(error), made: null })
    } finally {
      observer.refresh()
    }
  }

  async #editText(text: string): Promise<void> {
    const { session, canvas, dispatch, programs } = this.#doors
    const dir = await files.mkdtemp(join(tmpdir(), 'agency-prompt-'))
    const path = join(dir, 'prompt.md')
    canvas.pause()
    try {
      await files.writeFile(path, text, { mode: 0o600 })
      await session.lend(() => programs.edit(path))
      dispatch({ kind: 'edited', text: await files.readFile(path, 'utf8') })
    } catch (error) {
      dispatch({ kind: 'told', told: tellError(error) })
    } finally {
      canvas.repaint()
      await files.rm(dir, { recursive: true, force: true })
    }
  }

  #remember(memory: Extract<FormCommand, { do: 'remember' }>['memory']): void {
    const { agency, dispatch } = this.#doors
    this.#remembering = this.#remembering
      .then(() => agency.keepUiMemory(memory))
      .catch((error: unknown) => dispatch({ kind: 'told', told: tellError(error) }))
  }
}
