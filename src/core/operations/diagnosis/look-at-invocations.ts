// Broken invocations: what a kill or a full disk has left of them, and how to mend that without losing work. A start
// writes its record under the lock, so if a record is missing while we hold the lock, it will never come.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { hasFiles, presenceOf } from '../../changesets/presence.ts'
import { forgetUnrecorded, keepUnrecorded, moveUnrecorded } from '../../changesets/unrecorded.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { deletePath, isDirectoryItself, listNames, lstatIfThere, makeDir } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationId, isInvocationId, type ObjectId } from '../../model/ids.ts'
import type { BrokenInvocation, InvocationRecord } from '../../model/invocation.ts'
import { isClosed, sandboxBranch } from '../../model/invocation.ts'
import { SANDBOX_MARKER } from '../../model/markers.ts'
import { showPath } from '../../model/sandbox-path.ts'
import { appendEvent } from '../../store/events.ts'
import { updateInvocation } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { unrecordedPath } from '../../store/trash.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { type Check, fine, fixable, problem } from './check.ts'
import { keepInTrash } from './keep-in-trash.ts'
import { listHalfMade } from './look-at-half-made.ts'
import { lookAtLostMark } from './look-at-mark.ts'

export async function lookAtInvocations(repository: Repository): Promise<readonly Check[]> {
  const { invocations, broken } = listInvocations(repository.paths)
  const half = await listHalfMade(repository)
  const checks = [
    ...broken
      .filter(({ invocation_id }) => !half.has(invocation_id))
      .map((one) => lookAtBroken(repository, one)),
    ...emptyRecords(repository, half),
    ...invocations
      .filter((record) => !isClosed(record))
      .flatMap((record) => lookAtSandbox(repository, record)),
  ]
  return checks.length > 0 ? checks : [fine('invocations', `${invocations.length} records, all readable`)]
}

function lookAtBroken(repository: Repository, broken: BrokenInvocation): Check {
  const subject = `invocation ${broken.invocation_id}`
  const { record } = broken
  if (record !== null) {
    return fixable(
      { subject, message: broken.reason, remedy: 'close it as discarded; its commits stay in the trash ref' },
      () => closeWithoutTree(repository, record),
    )
  }
  const at = repository.paths.invocation(broken.invocation_id)
  if (lstatIfThere(at.meta) !== null) {
    return problem(
      subject,
      broken.reason,
      `mend or remove ${at.meta} by hand; its sandbox is at ${showPath(at.tree)}`,
    )
  }
  return fixable(
    { subject, message: broken.reason, remedy: `move its sandbox to ${repository.paths.trashDir}` },
    () => setRecordAside(repository, broken),
  )
}

/** For an invocation whose tree is gone: what it had committed is kept under the trash ref. */
async function closeWithoutTree(repository: Repository, record: InvocationRecord): Promise<string> {
  await repository.locked(async () => {
    await salvage(repository, record)
    await moveBranchToTrash(repository, record.invocation_id)
    await updateInvocation(repository.paths, record.invocation_id, (seen) => ({
      status: 'failed',
      exit_reason: seen.exit_reason ?? 'unknown',
      finished_at: seen.finished_at ?? repository.effects.clock.now().toISOString(),
      landing_status: 'discarded',
    }))
  })
  return `closed ${record.invocation_id} as discarded`
}

/** Where the sandbox cannot be opened, its record is closed all the same. */
async function salvage(repository: Repository, record: InvocationRecord): Promise<void> {
  const id = record.invocation_id
  try {
    const changeset = openChangeset(repository, record)
    const tip = await branchTip(repository, id)
    await keepOwn(repository, id, { tip, own: await changeset.keepOwnState(tip ?? record.base_commit) })
    await changeset.salvage()
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    appendEvent(repository.paths, record.invocation_id, { kind: 'cleanup_failed', message: error.message })
  }
}

/** For a sandbox without a record: moves all of it to the trash, where it stays until gc. */
async function setRecordAside(repository: Repository, { invocation_id }: BrokenInvocation): Promise<string> {
  const { paths, effects } = repository
  const at = paths.invocation(invocation_id)
  const stamp = { now: effects.clock.now(), random: effects.random() }
  const aside = unrecordedPath(paths, invocation_id, stamp)
  await repository.locked(async () => {
    if (lstatIfThere(at.meta) !== null) return
    await makeDir(paths.trashDir)
    await keepNamed(repository, invocation_id)
    moveUnrecorded(repository, invocation_id, aside)
    await moveBranchToTrash(repository, invocation_id)
    deletePath(at.dir)
  })
  return `moved the sandbox of ${invocation_id} to ${aside}`
}

const branchTip = ({ git }: Repository, id: InvocationId): Promise<ObjectId | null> =>
  readTip(git.store, `refs/heads/${sandboxBranch(id)}`)

/** Before git forgets the tree: with its directory would go what only that names. */
async function keepNamed(repository: Repository, id: InvocationId): Promise<void> {
  const tip = await branchTip(repository, id)
  await keepOwn(repository, id, { tip, own: await keepUnrecorded(repository, id, tip) })
}

interface OwnCommits {
  readonly tip: ObjectId | null
  readonly own: readonly ObjectId[]
}

/** The branch's tip comes first: whoever looks into the trash finds its files. */
async function keepOwn(repository: Repository, id: InvocationId, { tip, own }: OwnCommits): Promise<void> {
  if (own.length > 0) await keepInTrash(repository, id, tip === null ? own : [tip, ...own])
}

async function moveBranchToTrash(repository: Repository, id: InvocationId): Promise<void> {
  const tip = await branchTip(repository, id)
  if (tip === null) return
  await keepInTrash(repository, id, [tip])
  const { store } = repository.git
  await store.run(['update-ref', '--no-deref', '-d', `refs/heads/${sandboxBranch(id)}`, tip])
}

/** Invocations whose start was killed after it claimed the id and before it registered the tree. */
function emptyRecords(repository: Repository, half: ReadonlySet<string>): Check[] {
  const { paths } = repository
  const isEmpty = (dir: string): boolean => isDirectoryItself(dir) && listNames(dir).length === 0
  return [...new Set([...listNames(paths.invocationsDir), ...listNames(paths.sandboxesDir)])]
    .filter(isInvocationId)
    .filter((id) => !half.has(id) && !hasFiles(paths, id))
    .map((id) => ({ id, at: paths.invocation(id) }))
    .filter(({ at }) => lstatIfThere(at.meta) === null)
    .filter(({ at }) => lstatIfThere(at.dir) !== null || isEmpty(at.sandboxDir))
    .map(({ id, at }) => {
      const dir = lstatIfThere(at.dir) === null ? at.sandboxDir : at.dir
      const remedy = `remove the empty ${dir}`
      const said = { subject: `invocation ${id}`, message: 'it was claimed and never made', remedy }
      return fixable(said, async () => {
        await repository.locked(async () => {
          if (lstatIfThere(at.meta) !== null) return
          await keepNamed(repository, id)
          forgetUnrecorded(repository, id)
          await moveBranchToTrash(repository, id)
          deletePath(at.dir)
          if (isEmpty(at.sandboxDir)) deletePath(at.sandboxDir)
        })
        return `removed ${dir}`
      })
    })
}

/** One that cannot be opened is named: whoever cannot work with it must not lose sight of it. */
function lookAtSandbox(repository: Repository, record: InvocationRecord): Check[] {
  const subject = `invocation ${record.invocation_id}`
  switch (presenceOf(record)) {
    case 'gone':
      return []
    case 'out of reach': {
      const message = `its files are out of reach: this agency knows no sandboxes of the kind '${record.environment.changeset}'`
      return [problem(subject, message, 'use the version of agency that made it')]
    }
    case 'there':
      try {
        return lookAtMark(repository, record)
      } catch (error) {
        if (!(error instanceof AgencyError)) throw error
        const { meta } = repository.paths.invocation(record.invocation_id)
        return [problem(subject, `its sandbox cannot be opened: ${error.message}`, `mend ${meta} by hand`)]
      }
  }
}

function lookAtMark(repository: Repository, record: InvocationRecord): Check[] {
  const { isMarked, inTheWayOfMark, mark } = openChangeset(repository, record)
  if (isMarked()) return []
  return [
    lookAtLostMark({
      subject: `invocation ${record.invocation_id}`,
      tree: `the sandbox of ${record.invocation_id}`,
      message: 'its sandbox has lost its marker',
      marker: SANDBOX_MARKER,
      inTheWay: inTheWayOfMark(),
      mark,
    }),
  ]
}
