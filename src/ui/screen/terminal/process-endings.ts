// The ways in which the process ends or is stopped from outside while it holds the terminal.

import { constants } from 'node:os'

const FATAL = ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const
/** What the keys of a terminal send to all of a process group that does not read them itself. */
const FROM_KEYS: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT'])

export interface Endings {
  /** The process is ending: nothing that takes time can be done. */
  onExit(): void
  /** The process ends when it returns. */
  onError(error: unknown): void
  /** Asked to stop. */
  onStop(): void
  /** Went on after it was stopped without being asked. */
  onContinue(): void
}

export interface ProcessWatch {
  /** Somebody else has the terminal: its keys are not for us, and stopping is as without us. */
  lend(): void
  takeBack(): void
  end(): void
}

/** An error of the program's own; agents and scripts know it as EX_SOFTWARE. */
const INTERNAL = 70

export function watchProcess(endings: Endings): ProcessWatch {
  let lent = false
  const onFatal = (signal: NodeJS.Signals): void => {
    if (lent && FROM_KEYS.has(signal)) return
    endByOf(signal)
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

/** As shells tell it. Runs what `onExit` has to do. */
export function endByOf(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal])
}
