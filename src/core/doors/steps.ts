// A verb in steps, each with its way back. When a step fails, those before it are undone in reverse and the first error
// is the one that is reported; a way back that fails itself is named in the error's details, never hidden.

import { AgencyError } from '../model/errors.ts'
import type { Effects } from './effects.ts'

export interface Step<T> {
  readonly name: string
  readonly run: () => Promise<T>
  /** Must serve a half-done step too, and one whose traces are gone. */
  readonly undo?: () => Promise<void>
}

export type RunStep = <T>(step: Step<T>) => Promise<T>

/** Runs `work`, whose steps are undone if it throws. */
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

/** Begins work that goes on beside the steps after it. Should one of them fail, nothing is undone before it has ended. */
export async function beginStep<T>(step: RunStep, { name, run, undo }: Step<T>): Promise<Begun<T>> {
  let begun: Begun<T> | null = null
  return await step({
    name,
    run: async () => {
      begun = { ended: run() }
      // Whoever waits for it hears of it; if a step before that fails, nobody does.
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
  if (error instanceof AgencyError) {
    return new AgencyError(error.code, error.message, {
      hint: `${error.hint}; parts were left behind: agency doctor`,
      details: { ...error.details, ...details },
      cause: error,
    })
  }
  return new AgencyError('E_INTERNAL', String(error), { details, cause: error })
}
