// Does a verb in steps, each with its way back. When a step fails, the steps before it are undone in reverse, and its
// error is the one that is thrown. If a way back fails too, the error's details name it.

import { AgencyError } from '../model/errors.ts'
import { asOurError } from '../model/system-failure.ts'
import type { Effects } from './effects.ts'

export interface ReversibleStep<T> {
  readonly name: string
  readonly run: () => Promise<T>
  /** Must work after a half-done step, and where nothing is left to undo. */
  readonly undo?: () => Promise<void>
}

export type RunStep = <T>(step: ReversibleStep<T>) => Promise<T>

/** Runs `work`. If it throws, its steps are undone. */
export async function inSteps<T>(
  effects: Pick<Effects, 'onStep'>,
  work: (step: RunStep) => Promise<T>,
): Promise<T> {
  const ways: Array<{ name: string; undo: () => Promise<void> }> = []
  try {
    return await work(async (step) => {
      if (step.undo !== undefined) ways.unshift({ name: step.name, undo: step.undo })
      effects.onStep(step.name)
      return await step.run()
    })
  } catch (error) {
    throw withCleanupFailures(error, await undoAll(ways))
  }
}

export interface Begun<T> {
  readonly ended: Promise<T>
}

/**
 * Starts work that goes on while the next steps are done. If one of those fails, nothing is undone before this work has
 * ended.
 */
export async function beginStep<T>(step: RunStep, { name, run, undo }: ReversibleStep<T>): Promise<Begun<T>> {
  let begun: Begun<T> | null = null
  return await step({
    name,
    run: async () => {
      begun = { ended: run() }
      // A failure reaches whoever awaits `ended`. If a step before that fails, nobody does, and it must not end the
      // process.
      begun.ended.catch(() => {})
      return begun
    },
    undo: async () => {
      await begun?.ended.catch(() => {})
      await undo?.()
    },
  })
}

async function undoAll(ways: ReadonlyArray<{ name: string; undo: () => Promise<void> }>): Promise<string[]> {
  const failures: string[] = []
  for (const { name, undo } of ways) {
    try {
      await undo()
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failures
}

function withCleanupFailures(error: unknown, failures: readonly string[]): unknown {
  if (failures.length === 0) return error
  const details = { cleanup_failures: failures }
  const ours = asOurError(error)
  return new AgencyError(ours.code, ours.message, {
    hint: `${ours.hint}; parts were left behind: agency doctor`,
    details: { ...ours.details, ...details },
    cause: error,
  })
}
