// Opens the dashboard on the person's terminal: joins its parts, and afterwards gives the terminal back as it was.

import { basename } from 'node:path'
import type { Agency } from '../../../core/facade/agency.ts'
import { COMPILE_SOON, tuneV8 } from '../../../core/v8/tune-v8.ts'
import { runShell } from '../../person/child.ts'
import type { Console } from '../../person/console.ts'
import { openInEditor } from '../../person/editor.ts'
import type { Line } from '../../text/line.ts'
import { createCanvas } from '../blessed/create-canvas.ts'
import { chooseDepth, prefersAscii } from '../choose-depth.ts'
import { BINDINGS } from '../keys/bindings.ts'
import { resolveBindings } from '../keys/resolve-bindings.ts'
import { makeTheme } from '../make-theme.ts'
import { createObserver } from '../observe/create-observer.ts'
import type { ScreenTheme } from '../screen-theme.ts'
import { beginState } from '../state/dashboard-state.ts'
import type { Background } from '../tty/background.ts'
import { openTerminalSession } from '../tty/terminal-session.ts'
import type { Programs } from './command-runner.ts'
import { runDashboard } from './run-dashboard.ts'

export interface Opening {
  /** Stays on the screen until the person has had time to read it. */
  readonly greeting?: readonly Line[]
  /** The invocation that is selected at first. Default: the first row of the tree. */
  readonly selected?: string | null
}

/** Milliseconds until the first frames have been drawn. Compiling earlier would hold them up. */
const SETTLED = 1000

/** Resolves when the person leaves. Agents go on. */
export async function openDashboard(console: Console, agency: Agency, opening: Opening = {}): Promise<void> {
  const { env } = console
  const { keys, ui = {} } = agency.config
  const bindings = resolveBindings(BINDINGS, keys)
  const title = `agency: ${basename(agency.repository.root)}`
  const { mouse = true } = ui
  const session = openTerminalSession({ stdin: process.stdin, stdout: process.stdout, env, mouse, title })
  const ascii = ui.ascii ?? prefersAscii(env)
  const depth = chooseDepth(env)
  const themeOn = (background: Background): ScreenTheme =>
    makeTheme({
      depth,
      ascii,
      background: ui.theme === 'dark' || ui.theme === 'light' ? ui.theme : background,
    })
  const theme = themeOn(session.background)
  const canvas = createCanvas({ output: session.output, size: session.size, theme })
  session.onBackground((background) => canvas.setTheme(themeOn(background)))
  const observer = createObserver(agency)
  const settled = setTimeout(() => void tuneV8(COMPILE_SOON), SETTLED)
  try {
    await runDashboard({
      agency,
      session,
      canvas,
      observer,
      openPane: async (id, size) => (await import('../pane/open-pane.ts')).openPane(id, size),
      programs: programsOf(console, agency),
      now: console.now,
      initial: beginState({
        size: session.size,
        now: console.now(),
        repository: basename(agency.repository.root),
        snapshot: observer.snapshot(),
        bindings,
        version: console.version,
        default_runner: agency.config.default_runner,
        ascii,
        ...opening,
      }),
    })
  } finally {
    clearTimeout(settled)
    canvas.dispose()
    session.close()
    await observer.close()
  }
}

const programsOf = (console: Console, agency: Agency): Programs => ({
  edit: (path) => openInEditor(console, { path, config: agency.config, json: false }),
  shell: async (path) => void (await runShell(console, path, false)),
})
