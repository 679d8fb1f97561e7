// The person's terminal while the dashboard has it: keys come in, frames go out. It is given back exactly as it was,
// whether we return, throw, are ended or stopped, or lend it to an editor.

import { AgencyError } from '../../../core/model/errors.ts'
import type { Input, Output } from '../../person/console.ts'
import { becomeEndedBy, endBySignal } from '../../person/end-by-signal.ts'
import { openTerminalWriter, type TerminalWriter } from '../../person/terminal-writer.ts'
import { writeNow } from '../../person/write-now.ts'
import { makeVisible } from '../../text/visible.ts'
import type { ScreenOutput } from '../canvas.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Size } from '../scene.ts'
import { type Background, backgroundOf, guessBackground } from './background.ts'
import { encodeCopy } from './clipboard.ts'
import { InputReader } from './input-reader.ts'
import { swallowReplies } from './late-replies.ts'
import { outlastSignals, type ProcessWatch, watchProcess } from './process-endings.ts'
import { enterModes, LEAVE_MODES, questionsFor } from './terminal-modes.ts'

export interface TerminalOptions {
  readonly stdin: Input
  readonly stdout: Output
  readonly env: NodeJS.ProcessEnv
  /** false leaves the mouse to the terminal, for its own text selection. */
  readonly mouse?: boolean
  /** Title of the terminal's window while we have it. */
  readonly title?: string
  /** A test that answers may be slower than any terminal. */
  readonly patience?: ReplyPatience
}

/** How long we wait for the terminal to answer, in milliseconds. */
export interface ReplyPatience {
  /** Then a question counts as not answered by this terminal. */
  readonly asked: number
  /** Then we give the terminal back without the answer. */
  readonly leaving: number
}

export interface TerminalSession {
  readonly size: Size
  /** Text that is written while another program has the terminal is dropped. */
  readonly output: ScreenOutput
  /** A guess until the terminal answers, which it may never do. */
  readonly background: Background
  onInput(listener: (event: InputEvent) => void): void
  onResize(listener: (size: Size) => void): void
  onBackground(listener: (background: Background) => void): void
  /** The terminal is ours again, and nothing of what was drawn is left. */
  onResume(listener: () => void): void
  /** Stops the process as Ctrl-Z does. Returns when it goes on. */
  suspend(): void
  /** Gives the terminal to a program for as long as `run` takes. */
  lend<T>(run: () => Promise<T>): Promise<T>
  /**
   * A signal or a closed window ends the process, and the terminal is given back already. The listener has five seconds
   * to end it; however it does, the process ends by that signal.
   */
  onEnd(listener: () => void): void
  /** Copies to the clipboard. Returns false if the text is too long. */
  copy(text: string): boolean
  /** May be called more than once. */
  close(): void
}

/** Throws E_NO_TERMINAL. */
export function openTerminalSession(options: TerminalOptions): TerminalSession {
  if (options.stdin.isTTY !== true || options.stdout.isTTY !== true) {
    throw new AgencyError('E_NO_TERMINAL', 'the dashboard needs a terminal')
  }
  return new OwnTerminal(options)
}

/** Milliseconds for what has to be written before a signal ends us. */
const LONGEST_END = 5000

const PATIENCE: ReplyPatience = { asked: 1000, leaving: 200 }

class OwnTerminal implements TerminalSession {
  readonly #options: TerminalOptions
  readonly #reader: InputReader
  readonly #watch: ProcessWatch
  readonly #resized = new Set<(size: Size) => void>()
  readonly #resumed = new Set<() => void>()
  readonly #lit = new Set<(background: Background) => void>()
  readonly #ended = new Set<() => void>()
  readonly #writer: TerminalWriter
  #state: 'ours' | 'lent' | 'closed' = 'lent'
  /** When the terminal was asked; null once it has answered. */
  #asked: number | null = null
  background: Background
  size: Size

  constructor(options: TerminalOptions) {
    this.#options = options
    this.background = guessBackground(options.env)
    this.size = this.#measure()
    const onGone = (): void => this.#endBy('SIGHUP')
    this.#writer = openTerminalWriter(options.stdout, onGone)
    this.#reader = new InputReader(options.stdin, { onEvent: (event) => this.#learn(event), onGone })
    this.#watch = watchProcess({
      onExit: () => this.close(),
      onSignal: (signal) => this.#endBy(signal),
      onError: (error) => this.#fail(error),
      onStop: () => this.suspend(),
      onContinue: () => this.#comeBack(),
    })
    this.#begin()
  }

  #begin(): void {
    const { stdout, env } = this.#options
    try {
      this.#enter()
      stdout.on('resize', this.#onSize)
      this.#asked = performance.now()
      this.#writer.write(questionsFor(env))
    } catch (error) {
      this.close()
      throw error
    }
  }

  readonly output: ScreenOutput = {
    write: (text) => (this.#state === 'ours' ? this.#writer.write(text) : true),
    onDrain: (listener) => this.#writer.onDrain(listener),
  }

  onInput(listener: (event: InputEvent) => void): void {
    this.#reader.onEvent(listener)
  }

  onResize(listener: (size: Size) => void): void {
    this.#resized.add(listener)
  }

  onBackground(listener: (background: Background) => void): void {
    this.#lit.add(listener)
  }

  onResume(listener: () => void): void {
    this.#resumed.add(listener)
  }

  /** By SIGTSTP, not SIGSTOP: if no shell could continue us, the system ignores it, and we come back at once. */
  suspend(): void {
    if (this.#state !== 'ours') return
    this.#leave('lent')
    this.#watch.lend()
    process.kill(0, 'SIGTSTP')
    this.#takeBack()
  }

  async lend<T>(run: () => Promise<T>): Promise<T> {
    if (this.#state !== 'ours') return run()
    this.#leave('lent')
    this.#watch.lend()
    this.#reader.pause()
    try {
      await nextTurn()
      return await run()
    } finally {
      await nextTurn()
      if (this.#isLent()) {
        this.#reader.resume()
        this.#takeBack()
      }
    }
  }

  onEnd(listener: () => void): void {
    this.#ended.add(listener)
  }

  copy(text: string): boolean {
    const sequence = encodeCopy(text)
    if (sequence !== null) this.output.write(sequence)
    return sequence !== null
  }

  close(): void {
    if (this.#state === 'closed') return
    const ours = this.#state === 'ours'
    this.#watch.end()
    this.#reader.close()
    this.#options.stdout.off('resize', this.#onSize)
    if (ours) this.#leave('closed')
    this.#state = 'closed'
    this.#writer.close()
  }

  #endBy(signal: NodeJS.Signals): void {
    if (this.#state === 'closed') return
    becomeEndedBy(signal)
    // Before ours are taken away: the same signal may come again at any moment, and would end us at once.
    outlastSignals()
    this.close()
    if (this.#ended.size === 0) endBySignal(signal)
    setTimeout(() => endBySignal(signal), LONGEST_END)
    for (const listener of this.#ended) listener()
  }

  #isLent(): boolean {
    return this.#state === 'lent'
  }

  #enter(): void {
    const { stdin, mouse = true, title = null } = this.#options
    this.#state = 'ours'
    stdin.setRawMode?.(true)
    this.#writer.write(enterModes({ mouse, title }))
  }

  /** Sets the modes first, because as soon as the terminal is not raw, whatever it still sends would be shown. */
  #leave(state: 'lent' | 'closed'): void {
    this.#state = state
    this.#writer.writeLast(LEAVE_MODES)
    const { asked, leaving } = this.#options.patience ?? PATIENCE
    if (this.#asked !== null && performance.now() - this.#asked < asked) swallowReplies(leaving)
    this.#asked = null
    this.#options.stdin.setRawMode?.(false)
  }

  #takeBack(): void {
    this.#enter()
    this.#watch.takeBack()
    this.#onSize()
    for (const listener of this.#resumed) listener()
  }

  /**
   * If we were stopped without being asked, the shell has had the terminal, in whatever state we left it. If we are in
   * the background, setting it up stops us again before anything is written.
   */
  #comeBack(): void {
    if (this.#state !== 'ours') return
    this.#options.stdin.setRawMode?.(false)
    this.#leave('lent')
    this.#watch.lend()
    this.#takeBack()
  }

  /** Writes to the normal screen, where it stays readable. */
  #fail(error: unknown): void {
    this.close()
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const lines = told.split('\n').map(makeVisible)
    writeNow(2, `The dashboard ended by an error of its own. Agents go on.\n${lines.join('\n')}\n`)
  }

  #learn(event: InputEvent): void {
    if (event.kind !== 'reply') return
    if (event.reply.of === 'attributes') this.#asked = null
    if (event.reply.of !== 'background') return
    const background = backgroundOf(event.reply)
    if (background === this.background) return
    this.background = background
    for (const listener of this.#lit) listener(background)
  }

  readonly #onSize = (): void => {
    if (this.#state !== 'ours') return
    const size = this.#measure()
    if (size.columns === this.size.columns && size.rows === this.size.rows) return
    this.size = size
    for (const listener of this.#resized) listener(size)
  }

  /** Asks anew, because a stopped process is not told of changes. */
  #measure(): Size {
    const { stdout } = this.#options
    const [columns, rows] = measures(stdout) ? stdout.getWindowSize() : [stdout.columns, stdout.rows]
    return { columns: columns || 80, rows: rows || 24 }
  }
}

/**
 * In that turn a stream that was told to stops reading, and a Ctrl-C that ended a program is still taken as meant for
 * that program.
 */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const measures = (stdout: Output): stdout is Output & { getWindowSize(): [number, number] } =>
  'getWindowSize' in stdout
