// A runner with a terminal of its own. Its output is recorded as it comes, and drawn by an emulator for those who join.

import type { TerminalSize } from '../../../core/doors/spawner/open-terminal.ts'
import type { ReportedStatus } from '../../../core/model/reported-status.ts'
import type { Platform, StartOnTerminal } from '../../environments/platform.ts'
import { pasteText } from '../terminal/paste-text.ts'
import { type Pty, takePty } from '../terminal/pty.ts'
import { remindOfSize } from '../terminal/resize-reminder.ts'
import type { Screen } from '../terminal/screen.ts'
import { type Cast, openCast } from '../terminal/write-cast.ts'
import { openAppendedLog } from './appended-log.ts'
import type { LiveTerminal, Running, RunOptions } from './running.ts'
import { keepStatus } from './status-keeper.ts'

/** States in which an agent waits for a person. */
const TURN_ENDS: readonly (ReportedStatus | null)[] = ['idle', 'ready_for_review', 'needs_input']

/** Terminals are loaded while the sandbox is still being made. */
export async function prepareHeaded(platform: Platform): Promise<(options: RunOptions) => Promise<Running>> {
  const start = await platform.loadTerminals()
  return (options) => startHeaded(start, options)
}

async function startHeaded(start: StartOnTerminal, options: RunOptions): Promise<Running> {
  const { launch, paths, now, onLost } = options
  const castLog = openAppendedLog(paths.cast, { lines: true, onLost })
  const stream = openAppendedLog(paths.stream, { lines: true, onLost })
  const cast = openCast({ log: castLog, now }, launch)
  const note = (event: object): void =>
    stream.append(`${JSON.stringify({ at: now().toISOString(), ...event })}\n`)
  if (launch.prompt !== null) note({ kind: 'prompt', text: launch.prompt })

  const status = keepStatus({
    write: options.keepStatus,
    reports: launch.plan.reports_status === true,
  })
  let said: ReportedStatus | null = null
  const pty = takePty(start(options.exec, launch))
  // The runner boots while the emulator is loaded.
  const { openScreen } = await import('../terminal/screen.ts')
  const screen = await openScreen(launch, {
    reply: (text) => pty.write(text),
    onStatus: (state) => {
      status.reported(state)
      if (state === said) return
      said = state
      if (state !== null) note({ kind: 'status', state })
      if (TURN_ENDS.includes(state)) options.onTurnEnd()
    },
  })
  let lastOutput: Date | null = null
  const terminal = joinTerminal(launch, { pty, screen, cast, onTyped: options.onTyped })
  pty.listen((chunk) => {
    lastOutput = now()
    terminal.take(chunk)
    status.drew()
  })
  return {
    pid: pty.pid,
    exited: pty.exited,
    terminal,
    drain: async () => {
      terminal.stop()
      await status.close()
      cast.end()
      castLog.close()
      stream.close()
    },
    lastOutputAt: () => lastOutput,
    verdict: () => ({ result: null, last_error: null }),
  }
}

interface TakingTerminal extends LiveTerminal {
  take(chunk: Buffer): void
  stop(): void
}

interface Parts {
  readonly pty: Pty
  readonly screen: Screen
  readonly cast: Cast
  readonly onTyped: () => void
}

function joinTerminal(size: TerminalSize, { pty, screen, cast, onTyped }: Parts): TakingTerminal {
  let onOutput: (bytes: Uint8Array) => void = () => {}
  const reminder = remindOfSize(size, pty.resize)
  return {
    stop: reminder.stop,
    take: (chunk) => {
      const drawn = screen.feed(chunk)
      // Clients come first, because they wait for it.
      if (drawn.length > 0) onOutput(drawn)
      cast.output(chunk)
      reminder.drawn()
    },
    snapshot: (scrollback) => Buffer.from(screen.snapshot(scrollback)),
    state: screen.state,
    write: (bytes) => {
      pty.write(bytes)
      onTyped()
    },
    send: (bytes) => pty.write(pasteText(bytes, screen.marksPastes())),
    pendingInput: () => pty.pendingInput(),
    resize: (columns, rows) => {
      pty.resize(columns, rows)
      screen.resize(columns, rows)
      cast.resize(columns, rows)
      reminder.resized({ columns, rows })
    },
    listen: (listener) => {
      onOutput = listener
    },
  }
}
