// Looks for what keeps git from writing refs: locks of a killed git, and refs in the place of ours. And for refs of closed
// sandboxes that could not be deleted when these were closed.

import { findCheckouts } from '../../doors/git/find-checkouts.ts'
import { moveRefs } from '../../doors/git/move-refs.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { findRefsInTheWay, moveRefAside, type RefInTheWay } from '../../doors/git/refs-in-the-way.ts'
import { listLocks, lockHolder, removeStaleLock } from '../../doors/git/stale-locks.ts'
import { isInvocationId, type ObjectId, parseObjectId } from '../../model/ids.ts'
import { isClosed } from '../../model/invocation.ts'
import { SNAPSHOT_REFS } from '../../model/refs.ts'
import { inspectRecord, isBroken } from '../../store/invocations.ts'
import type { Repository } from '../../store/repository.ts'
import { listWorktrees } from '../../store/worktrees.ts'
import { trashRef } from '../sandboxes/close-sandbox.ts'
import { type Check, fixable, note, problem } from './check.ts'

export async function lookAtRefs(repository: Repository): Promise<readonly Check[]> {
  const { git, paths } = repository
  const branches = listWorktrees(paths).map(({ branch }) => branch)
  const inTheWay = await findRefsInTheWay(git, branches)
  return [
    ...listLocks(repository).map((path) => lookAtGitLock(repository, path)),
    ...(await Promise.all(inTheWay.map((one) => lookAtRef(repository, one)))),
    ...(await lookAtLeftRefs(repository)),
  ]
}

function lookAtGitLock(repository: Repository, path: string): Check {
  const subject = 'git lock'
  const holder = lockHolder(repository, path)
  if (holder !== null) return note(subject, `${path} may be held by process ${holder.pid}`)
  const message = `${path} was left by a git that is gone; it stops every git that needs it`
  return fixable({ subject, message, remedy: 'remove it' }, async () =>
    removeStaleLock(repository, path)
      ? `removed the stale lock ${path}`
      : `left ${path}: a git may hold it now`,
  )
}

async function lookAtRef(repository: Repository, one: RefInTheWay): Promise<Check> {
  const { ref, object } = one
  const subject = 'refs'
  const where = object === null ? [] : await findCheckouts(repository, ref)
  const message = `${ref} ${object === null ? 'is broken' : 'stands where refs of agency have to be'}`
  if (where.length > 0) {
    const branch = ref.slice('refs/heads/'.length)
    return problem(
      subject,
      `${message}, and is checked out in ${where[0]}`,
      `git -C '${where[0]}' branch -m ${branch} another-name`,
    )
  }
  return fixable({ subject, message, remedy: 'move it aside, under another name' }, () =>
    repository.locked(async () => `moved ${ref} aside: it is ${await moveRefAside(repository.git, one)} now`),
  )
}

interface LeftRef {
  readonly id: string
  readonly ref: string
  readonly object: ObjectId
}

/** Those whose sandbox is closed. A branch that is checked out elsewhere was left on purpose. */
async function lookAtLeftRefs(repository: Repository): Promise<Check[]> {
  const checks: Check[] = []
  for (const left of await listSandboxRefs(repository)) {
    const { id, ref } = left
    const record = isInvocationId(id) ? inspectRecord(repository.paths, id) : null
    if (record === null || isBroken(record) || !isClosed(record)) continue
    if ((await findCheckouts(repository, ref)).length > 0) continue
    const message = `${ref} is left of ${id}, which was ${record.landing_status}`
    checks.push(
      fixable({ subject: 'refs', message, remedy: 'delete it; what it holds is kept with the sandbox' }, () =>
        repository.locked(() => dropLeftRef(repository, left)),
      ),
    )
  }
  return checks
}

async function listSandboxRefs({ git }: Repository): Promise<LeftRef[]> {
  const names = ['refs/heads/agency/sandbox-*', `${SNAPSHOT_REFS}*/*`]
  const listed = await git.store.text(['for-each-ref', '--format=%(refname) %(objectname)', ...names])
  return listed.split('\n').flatMap((line) => {
    const [ref = '', object] = line.split(' ')
    const [, id] = /^refs\/(?:heads\/agency\/sandbox-|agency\/snapshots\/)([^/]+)/.exec(ref) ?? []
    return id && object ? [{ id, ref, object: parseObjectId(object) }] : []
  })
}

/** What the trash does not hold becomes what it holds; if it holds something else, the ref stays. */
async function dropLeftRef(repository: Repository, { id, ref, object }: LeftRef): Promise<string> {
  const { store } = repository.git
  const kept = await readTip(store, trashRef(id))
  if (kept === null) {
    await moveRefs(repository, [
      { ref: trashRef(id), from: null, to: object },
      { ref, from: object, to: null },
    ])
    return `moved ${ref} to the trash`
  }
  const held = await store.run(['merge-base', '--is-ancestor', object, kept], { answers: [1, 128] })
  if (held.exitCode !== 0) return `left ${ref}: it has commits that are kept nowhere else`
  await moveRefs(repository, [{ ref, from: object, to: null }])
  return `deleted ${ref}`
}
