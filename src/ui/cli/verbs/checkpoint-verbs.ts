// What agency checkpoint does: calls the facade and puts its answers into words.

import { resolve } from 'node:path'
import type { CheckpointAgainst } from '../../../core/facade/agency.ts'
import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { count } from '../../text/amounts.ts'
import { type Line, span } from '../../text/line.ts'
import type { Call, Result } from '../commands/command.ts'
import { viewCheckpoint, viewCheckpoints } from '../views/checkpoint-view.ts'
import { formatDiff } from '../views/diff-view.ts'
import { nameInvocation, viewNotes } from '../views/views.ts'
import { numberOrNewest, readTarget, refuseMore, requireNumber } from './checkpoint-target.ts'

export async function listCheckpoints(call: Call): Promise<Result> {
  const target = readTarget(call)
  if (target.number !== undefined) {
    throw new AgencyError('E_USAGE', `unexpected argument '${target.number}'`, {
      hint: `agency checkpoint show ${target.invocation} ${target.number}`,
    })
  }
  const { invocation, checkpoints } = await (await call.agency()).listCheckpoints(target.invocation)
  return {
    data: { invocation_id: invocation.invocation_id, checkpoints },
    view: (page) => viewCheckpoints(invocation, checkpoints, page),
  }
}

export async function showCheckpoint(call: Call): Promise<Result> {
  const target = readTarget(call)
  refuseMore(target)
  const against = readAgainst(call)
  const agency = await call.agency()
  const number = await numberOrNewest(agency, target)
  const { invocation, checkpoint } = await agency.showCheckpoint(target.invocation, number)
  const about = { invocation_id: invocation.invocation_id, checkpoint }
  const fields = (now: Date): Line[] => viewCheckpoint(invocation, checkpoint, now)
  if (against === null) return { data: about, view: ({ now }) => fields(now) }
  const diff = await agency.diffCheckpoint(target.invocation, number, against)
  return {
    data: { ...about, against, diff: { ...diff, patch: Buffer.from(diff.patch).toString('utf8') } },
    view: (page) => [...fields(page.now), '', ...formatDiff(diff, { page, summary: true })],
  }
}

/** null if no diff was asked for. Throws E_USAGE. */
function readAgainst(call: Call): CheckpointAgainst | null {
  const said = call.text('against')
  if (said === undefined) return call.flag('diff') ? 'before' : null
  if (said === 'before' || said === 'base' || said === 'now') return said
  throw new AgencyError('E_USAGE', `a checkpoint is not compared with '${said}'`, {
    hint: 'one of: before, base, now',
  })
}

export async function runCreateCheckpoint(call: Call): Promise<Result> {
  const target = readTarget(call)
  if (target.number !== undefined) throw new AgencyError('E_USAGE', 'a new checkpoint gets the next number')
  const name = call.text('name')
  const made = await (await call.agency()).createCheckpoint(
    target.invocation,
    name === undefined ? {} : { name },
  )
  const { invocation, checkpoint, taken } = made
  return {
    data: { invocation_id: invocation.invocation_id, checkpoint, taken },
    view: () => [
      taken
        ? [
            span('checkpoint ', 'ready'),
            span(checkpointTitle(checkpoint), 'strong'),
            ` of ${nameInvocation(invocation)}`,
          ]
        : `nothing has changed since checkpoint ${checkpointTitle(checkpoint)} of ${nameInvocation(invocation)}`,
      ...(taken ? [checkpoint.diffstat] : []),
      ...viewNotes(checkpoint.excluded.map((path) => `${path} is left out`)),
    ],
  }
}

export async function applyCheckpoint(call: Call): Promise<Result> {
  const target = readTarget(call)
  refuseMore(target)
  const number = requireNumber(target)
  const restored = await (await call.agency()).restoreCheckpoint(target.invocation, number)
  const { invocation, checkpoint, safety, notes } = restored
  const same = safety.id === checkpoint.id
  const kept = same ? 'its files were that already' : `what was there is checkpoint ${safety.id}`
  return {
    data: { invocation_id: invocation.invocation_id, checkpoint, safety, notes },
    view: () => [
      [
        span('restored ', 'ready'),
        span(nameInvocation(invocation), 'strong'),
        ` to checkpoint ${checkpointTitle(checkpoint)}; ${kept}`,
      ],
      ...viewNotes(notes),
      span('agency undo takes it back', 'dim'),
    ],
  }
}

export async function runExportCheckpoint(call: Call): Promise<Result> {
  const target = readTarget(call)
  refuseMore(target)
  const agency = await call.agency()
  const exported = await agency.exportCheckpoint(target.invocation, await numberOrNewest(agency, target), {
    path: resolve(call.cwd, call.text('to') ?? ''),
    progress: (message) => call.say(span(message, 'dim')),
  })
  return {
    data: exported,
    view: () => [
      [span('wrote ', 'ready'), `${count(exported.files, 'file')} to ${exported.path}`],
      ...viewNotes(exported.notes),
    ],
  }
}

export async function renameCheckpoint(call: Call): Promise<Result> {
  const target = readTarget(call)
  const [name = null, ...more] = target.more
  refuseMore({ ...target, more })
  const agency = await call.agency()
  const named = await agency.nameCheckpoint(target.invocation, requireNumber(target), name)
  const { invocation, checkpoint } = named
  return {
    data: { invocation_id: invocation.invocation_id, checkpoint },
    view: () => [`checkpoint ${checkpointTitle(checkpoint)} of ${nameInvocation(invocation)}`],
  }
}

const checkpointTitle = ({ id, name }: Checkpoint): string => (name === null ? `${id}` : `${id} (${name})`)
