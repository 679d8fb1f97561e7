// Joins a headed agent's terminal from any terminal: the same keys and the same picture, until Ctrl-\ or the agent's
// end.

import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StartingAgency } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { isActive } from '../../../core/model/invocation.ts'
import type { AttachEvents, Attachment } from '../../../core/model/runner.ts'
import type { Console } from '../../person/console.ts'
import { takeTerminal } from '../../person/terminal-guard.ts'
import type { TerminalWriter } from '../../person/terminal-writer.ts'
import { readTyped } from '../../text/detach-key.ts'
import { type Line, span } from '../../text/line.ts'
import { MODE_RESET, ScreenFilter } from '../../text/screen-filter.ts'

export type AttachEnding =
  | { readonly how: 'detached' }
  | { readonly how: 'ended'; readonly exit_code: number | null; readonly exit_signal: string | null }
  | { readonly how: 'host_gone' }

/** Milliseconds to wait for the rest of a key of several bytes. */
const KEY_PAUSE = 30
/** Milliseconds before we join again after the host has cut us off. */
const REJOIN_PAUSE = 200
/** Bytes that may wait for a terminal that takes none. What comes after them is not shown: we join again instead. */
const LONGEST_QUEUE = 1024 * 1024

/** Throws E_NO_TERMINAL, and what `agency.attach` throws. The terminal is as before in every case. */
export async function attachTerminal(
  agency: StartingAgency,
  typed: string,
  console: Console,
): Promise<AttachEnding> {
  if (console.stdin.isTTY !== true || console.stdout.isTTY !== true) {
    throw new AgencyError('E_NO_TERMINAL', "joining an agent's terminal needs a terminal")
  }
  const terminal = takeTerminal(console)
  try {
    return await new Promise((resolve, reject) => {
      new AttachSession({ agency, typed, console, writer: terminal.writer, resolve, reject }).begin()
    })
  } finally {
    terminal.release()
  }
}

export function viewEnding(id: string, ending: AttachEnding): Line[] {
  switch (ending.how) {
    case 'detached':
      return [`detached; the agent goes on. Join it again: agency agent attach ${id}`]
    case 'ended':
      return [viewAttachEnd(ending), span(`agency agent diff ${id}`, 'dim')]
    case 'host_gone':
      return [
        span('the process that kept the agent alive is gone', 'failed'),
        span(`agency agent show ${id}`, 'dim'),
      ]
  }
}

function viewAttachEnd({ exit_code, exit_signal }: Extract<AttachEnding, { how: 'ended' }>): Line {
  if (exit_signal !== null) return span(`the agent was ended by ${exit_signal}`, 'failed')
  return exit_code === 0
    ? span('the agent ended', 'ready')
    : span(`the agent ended with exit status ${exit_code}`, 'failed')
}

interface SessionPlan {
  readonly agency: StartingAgency
  readonly typed: string
  readonly console: Console
  readonly writer: TerminalWriter
  resolve(ending: AttachEnding): void
  reject(error: unknown): void
}

class AttachSession {
  readonly #plan: SessionPlan
  #attachment: Attachment | null = null
  /** Counts joins, so that what an earlier connection still sends can be ignored. */
  #join = 0
  /** The terminal takes nothing, so the agent's output is not followed. */
  #behind = false
  #held = ''
  #holding: NodeJS.Timeout | undefined
  /** What was typed while nothing could take it. */
  #waiting: Buffer[] = []

  constructor(plan: SessionPlan) {
    this.#plan = plan
  }

  begin(): void {
    const { stdin, stdout } = this.#plan.console
    stdin.on('data', this.#onInput)
    stdout.on('resize', this.#onResize)
    this.#plan.writer.onDrain(this.#onDrain)
    this.#attach()
  }

  #attach(): void {
    this.#join += 1
    const { agency, typed } = this.#plan
    const join = this.#join
    agency.attach(typed, this.#size(), this.#events(join)).then(
      (attachment) => this.#onAttached(attachment, join),
      (error: unknown) => this.#finish(() => this.#plan.reject(error)),
    )
  }

  #onAttached(attachment: Attachment, join: number): void {
    if (join !== this.#join) {
      attachment.detach()
      return
    }
    this.#attachment = attachment
    for (const bytes of this.#waiting.splice(0)) attachment.write(bytes)
  }

  #events(join: number): AttachEvents {
    const decoder = new StringDecoder('utf8')
    const filter = new ScreenFilter()
    const current = (work: (bytes: Uint8Array) => void) => (bytes: Uint8Array) => {
      if (join === this.#join) work(bytes)
    }
    return {
      onSnapshot: current((bytes) => {
        const { output } = filter.filter(decoder.write(Buffer.from(bytes)))
        this.#show(`${MODE_RESET}\x1b[2J\x1b[H${output}`)
      }),
      onData: current((bytes) => {
        const { output, redraw } = filter.filter(decoder.write(Buffer.from(bytes)))
        this.#show(output)
        if (redraw) this.#redraw()
      }),
      onEnd: (end) => {
        if (join !== this.#join) return
        if (end === null) void this.#rejoin(join)
        else this.#end({ how: 'ended', ...end })
      },
    }
  }

  #show(output: string): void {
    const { writer } = this.#plan
    writer.write(output)
    if (writer.waiting() > LONGEST_QUEUE) this.#leaveBehind()
  }

  #leaveBehind(): void {
    this.#behind = true
    this.#join += 1
    this.#attachment?.detach()
    this.#attachment = null
  }

  readonly #onDrain = (): void => {
    if (!this.#behind) return
    this.#behind = false
    this.#attach()
  }

  /** A host cuts off a client that falls far behind its output. If the host is gone, the agent has ended. */
  async #rejoin(join: number): Promise<void> {
    const { agency, typed, reject } = this.#plan
    try {
      await sleep(REJOIN_PAUSE)
      const { record } = await agency.showInvocation(typed)
      if (join !== this.#join) return
      if (isActive(record)) this.#redraw()
      else this.#end({ how: 'host_gone' })
    } catch (error) {
      if (join === this.#join) this.#finish(() => reject(error))
    }
  }

  /** The agent's program has left its full screen. Only its host knows what was on the screen before. */
  #redraw(): void {
    this.#attachment?.detach()
    this.#attachment = null
    this.#attach()
  }

  readonly #onInput = (chunk: Buffer | string): void => {
    clearTimeout(this.#holding)
    const typed = readTyped(this.#held, Buffer.from(chunk).toString('latin1'))
    this.#held = typed.held
    this.#send(typed.forward)
    if (typed.detach) this.#end({ how: 'detached' })
    else if (typed.held !== '') this.#holding = setTimeout(this.#sendHeld, KEY_PAUSE)
  }

  readonly #sendHeld = (): void => {
    this.#send(this.#held)
    this.#held = ''
  }

  #send(latin1: string): void {
    if (latin1 === '') return
    const bytes = Buffer.from(latin1, 'latin1')
    if (this.#attachment === null) this.#waiting.push(bytes)
    else this.#attachment.write(bytes)
  }

  readonly #onResize = (): void => {
    const { columns, rows } = this.#size()
    this.#attachment?.resize(columns, rows)
  }

  #size(): { columns: number; rows: number } {
    const { columns = 80, rows = 24 } = this.#plan.console.stdout
    return { columns, rows }
  }

  #end(ending: AttachEnding): void {
    this.#attachment?.detach()
    this.#finish(() => this.#plan.resolve(ending))
  }

  #finish(settle: () => void): void {
    const { stdin, stdout } = this.#plan.console
    this.#join += 1
    this.#behind = false
    clearTimeout(this.#holding)
    stdin.off('data', this.#onInput)
    stdout.off('resize', this.#onResize)
    settle()
  }
}
