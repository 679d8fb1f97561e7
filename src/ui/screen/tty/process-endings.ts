// The ways in which the process can end, or be stopped from outside, while it has the terminal.

const FATAL = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const
/** Signals that a terminal's keys send to a whole process group, unless the terminal is raw. */
const FROM_KEYS: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT'])

export interface Endings {
  /** The process is ending: nothing that takes time is possible. */
  onExit(): void
  /** A signal asks the process to end. It may take a moment for that. */
  onSignal(signal: NodeJS.Signals): void
  /** The process ends when this returns. */
  onError(error: unknown): void
  /** The process is asked to stop. */
  onStop(): void
  /** The process goes on after it was stopped without being asked. */
  onContinue(): void
}

export interface ProcessWatch {
  /** Another program has the terminal: its keys are not for us, and stopping works as if we were not there. */
  lend(): void
  takeBack(): void
  end(): void
}

/** Exit status for an error of our own, known as EX_SOFTWARE. */
const INTERNAL = 70

export function watchProcess(endings: Endings): ProcessWatch {
  let lent = false
  const onFatal = (signal: NodeJS.Signals): void => {
    if (lent && FROM_KEYS.has(signal)) return
    endings.onSignal(signal)
  }
  const onError = (error: unknown): void => {
    endings.onError(error)
    process.exit(INTERNAL)
  }
  const watchStops = (): void => {
    process.on('SIGTSTP', endings.onStop)
    process.on('SIGCONT', endings.onContinue)
  }
  const leaveStops = (): void => {
    process.off('SIGTSTP', endings.onStop)
    process.off('SIGCONT', endings.onContinue)
  }
  process.on('exit', endings.onExit)
  process.on('uncaughtException', onError)
  for (const signal of FATAL) process.on(signal, onFatal)
  watchStops()
  return {
    lend: () => {
      lent = true
      leaveStops()
    },
    takeBack: () => {
      lent = false
      watchStops()
    },
    end: () => {
      leaveStops()
      process.off('exit', endings.onExit)
      process.off('uncaughtException', onError)
      for (const signal of FATAL) process.off(signal, onFatal)
    },
  }
}

/** From here on these signals do nothing: closing a window sends some of them twice. */
export function outlastSignals(): void {
  for (const signal of FATAL) process.on(signal, () => {})
}
