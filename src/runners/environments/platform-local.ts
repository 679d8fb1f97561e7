// This machine: runners are processes beside their host.

import { accessSync, constants, statSync } from 'node:fs'
import { startOnFiles } from '../../core/doors/spawner/start-on-files.ts'
import { systemProcesses } from '../../core/doors/system/processes.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { Platform, RunPlace, RunProcesses } from './platform.ts'

export const platformLocal: Platform = {
  preflight: async () => [],
  startOnFiles: async (exec, files) => {
    checkExecutable(exec.argv[0])
    try {
      return await startOnFiles(exec, files)
    } catch (cause) {
      throw startFailed(exec.argv[0], cause)
    }
  },
  loadTerminals: async () => {
    const { openTerminal } = await import('../../core/doors/spawner/open-terminal.ts')
    return (exec, size) => {
      checkExecutable(exec.argv[0])
      return openTerminal(exec, size)
    }
  },
  processesOf,
}

/** Looks for the usual reasons first, because on a terminal they would only show as a child that exits at once. */
function checkExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK)
    if (!statSync(path).isFile()) throw new Error('it is not a file')
  } catch (cause) {
    throw startFailed(path, cause)
  }
}

function startFailed(path: string, cause: unknown): AgencyError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgencyError('E_RUNNER_START_FAILED', `could not run ${path}: ${why}`, { cause })
}

function processesOf({ invocation_id, sandbox_path }: RunPlace): RunProcesses {
  const processes = systemProcesses()
  const living = () => processes.ofInvocation(invocation_id, sandbox_path)
  return {
    count: async () => (await living()).length,
    signal: async (signal) => {
      const told = await living()
      processes.signal(told, signal)
      return told.length
    },
  }
}
