// Carries out a verb and puts the result into words: what happened, and how to take it back.

import type { Agency, Landing, LandOptions, Progress } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { shortId } from '../../../core/model/ids.ts'
import { count } from '../../text/amounts.ts'
import { type Line, span } from '../../text/line.ts'
import type { Choice } from '../overlays/choice.ts'
import type { Told, Verb } from '../state/message.ts'

/**
 * A toast, perhaps with the invocation that was brought back; or a question, if there is more than one way to go on.
 */
export type VerbOutcome = { readonly told: Told; readonly reveal?: string } | { readonly ask: Choice }

/** Never throws. */
export async function carryOutVerb(agency: Agency, verb: Verb, progress: Progress): Promise<VerbOutcome> {
  try {
    return await perform(agency, verb, progress)
  } catch (error) {
    return { told: tellError(error) }
  }
}

/** What happened, why, and what to do now. */
export function tellError(error: unknown): Told {
  if (!(error instanceof AgencyError)) {
    return { level: 'failed', lines: [error instanceof Error ? error.message : String(error)] }
  }
  return { level: 'failed', lines: [error.message, ...(error.hint === '' ? [] : [span(error.hint, 'dim')])] }
}

async function perform(agency: Agency, verb: Verb, progress: Progress): Promise<VerbOutcome> {
  switch (verb.verb) {
    case 'land':
      return landOrAsk(agency, verb.id, verb.options)
    case 'discard': {
      const { notes } = await agency.discardInvocation(verb.id, progress)
      return done([`discarded ${shortOf(verb.id)}`, ...notes], 'undo')
    }
    case 'stop':
    case 'kill':
      return end(agency, verb)
    case 'checkpoint':
      return checkpoint(agency, verb.id)
    case 'restore':
      return restoreCheckpointTo(agency, verb)
    case 'name_checkpoint':
      await agency.nameCheckpoint(verb.id, verb.checkpoint, verb.name)
      return done([
        `checkpoint ${verb.checkpoint} of ${shortOf(verb.id)} ${verb.name === null ? 'has no name any more' : `is now called ${verb.name}`}`,
      ])
    case 'rename':
      await agency.renameInvocation(verb.id, verb.name)
      return done([`${shortOf(verb.id)} is now called ${verb.name}`])
    case 'undo':
    case 'redo':
      return travel(agency, verb.verb)
    case 'archive': {
      const { worktree, notes } = await agency.removeWorktree(verb.id, { force: verb.force, progress })
      return done([`archived ${worktree.name}; its branch ${worktree.branch} stays`, ...notes], 'undo')
    }
  }
}

/** The undo of a landing brings its agent back to the tree; the redo takes it away again. */
async function travel(agency: Agency, way: 'undo' | 'redo'): Promise<VerbOutcome> {
  const { operation, notes } = await (way === 'undo' ? agency.undo() : agency.redo())
  const words = `${way === 'undo' ? 'undone' : 'done again'}: ${operation.description}`
  const outcome = done([words, ...notes], way === 'undo' ? 'redo' : 'undo')
  const [id] = operation.invocation_ids
  return way === 'undo' && id !== undefined ? { ...outcome, reveal: id } : outcome
}

const shortOf = (id: string): string => id.slice(-4)

function done(lines: readonly Line[], offers?: 'undo' | 'redo'): { told: Told } {
  return { told: { level: 'done', lines, ...(offers === undefined ? {} : { offers }) } }
}

/** If there is uncommitted work beside commits, the person decides, because each way leaves something out. */
async function landOrAsk(agency: Agency, id: string, options: LandOptions): Promise<VerbOutcome> {
  try {
    return tellLanding(await agency.landInvocation(id, options))
  } catch (error) {
    if (!(error instanceof AgencyError) || error.code !== 'E_SANDBOX_DIRTY') throw error
    return { ask: askAboutDirt(id) }
  }
}

function tellLanding({ invocation, worktree, landed, notes }: Landing): VerbOutcome {
  const what = count(landed.length, 'commit')
  return done([`landed ${shortId(invocation.invocation_id)} on ${worktree.name}: ${what}`, ...notes], 'undo')
}

function askAboutDirt(id: string): Choice {
  const landing = (options: LandOptions) =>
    ({
      do: 'verb',
      verb: { verb: 'land', id, options },
      words: `landing ${shortOf(id)}`,
      about: id,
    }) as const
  return {
    title: `Land ${shortOf(id)}: commits and uncommitted work`,
    lines: ['It has commits, and work beside them that it did not commit.'],
    ways: [
      {
        key: 'a',
        label: 'all of it: what is uncommitted becomes one commit on top',
        commands: [landing({ apply: true })],
      },
      {
        key: 'c',
        label: 'the commits only; the rest is kept for undo',
        commands: [landing({ commits_only: true })],
      },
    ],
  }
}

async function checkpoint(agency: Agency, id: string): Promise<VerbOutcome> {
  const { checkpoint, taken } = await agency.createCheckpoint(id)
  if (taken) return done([`checkpoint ${checkpoint.id} of ${shortOf(id)}: ${checkpoint.diffstat}`])
  return done([`nothing has changed since checkpoint ${checkpoint.id} of ${shortOf(id)}`])
}

async function restoreCheckpointTo(
  agency: Agency,
  { id, checkpoint: number }: Extract<Verb, { verb: 'restore' }>,
): Promise<VerbOutcome> {
  const { safety, notes } = await agency.restoreCheckpoint(id, number)
  const kept =
    safety.id === number ? 'its files were that already' : `what was there is checkpoint ${safety.id}`
  return done([`restored ${shortOf(id)} to checkpoint ${number}; ${kept}`, ...notes], 'undo')
}

async function end(
  agency: Agency,
  { verb, id }: { verb: 'stop' | 'kill'; id: string },
): Promise<VerbOutcome> {
  const { ended } = await (verb === 'stop' ? agency.stopInvocation(id) : agency.killInvocation(id))
  if (ended) return done([`${verb === 'stop' ? 'stopped' : 'killed'} ${shortOf(id)}; its work is as it was`])
  return { told: { level: 'failed', lines: [`${shortOf(id)} has not ended yet`, span('k kills it', 'dim')] } }
}
