// Which verbs are at work on a tree, or were killed there: a journal for each tree, in a file of its own. This is asked
// before every verb, so it reads no record, and only the names in one directory that is nearly always empty.

import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { listNames, makeDir, readTextIfThere } from '../doors/system/files.ts'
import { isInvocationId } from '../model/ids.ts'
import type { RepoPaths } from './paths.ts'
import { writeRecord } from './record-file.ts'

/** `landing`: something is written into a person's worktree. `restore`: a sandbox is brought to another state. */
export type JournalKind = 'landing' | 'restore'

export interface Interrupted {
  readonly kind: JournalKind
  /** Of the worktree or of the invocation; null where an old journal does not say. */
  readonly id: string | null
  readonly path: string
}

/** What every journal may have beside its own fields. */
export const stuckSchema = {
  /** Why it could not be finished. From then on only verbs on its own tree try again, and doctor. */
  stuck: z.optional(z.string()),
}

export const journalPath = ({ journalsDir }: RepoPaths, kind: JournalKind, id: string): string =>
  join(journalsDir, `${kind}-${id}.json`)

export const isRestoring = (paths: RepoPaths): boolean =>
  listInterrupted(paths).some(({ kind }) => kind === 'restore')

export const isInterrupted = (paths: RepoPaths): boolean => listInterrupted(paths).length > 0

const NAME = /^(landing|restore)-(.+)\.json$/

/** Oldest trees first. */
export function listInterrupted(paths: RepoPaths): Interrupted[] {
  const { journalsDir, oldJournals } = paths
  const found = listNames(journalsDir).flatMap((name): Interrupted[] => {
    const [, kind, id = ''] = NAME.exec(name) ?? []
    if (kind === undefined || !isInvocationId(id)) return []
    return [{ kind: kind === 'landing' ? 'landing' : 'restore', id, path: join(journalsDir, name) }]
  })
  const old = (['landing', 'restore'] as const)
    .map((kind) => ({ kind, id: null, path: oldJournals[kind] }))
    .filter(({ path }) => existsSync(path))
  return [...found, ...old]
}

/**
 * The caller holds the lock. Moves what an older version has left to where its tree's journal lies. One that does not
 * say whose it is stays.
 */
export async function adoptOldJournals(paths: RepoPaths): Promise<void> {
  for (const { kind, id, path } of listInterrupted(paths)) {
    const owner = id === null ? ownerOf(readTextIfThere(path) ?? '', kind) : null
    if (owner === null || existsSync(journalPath(paths, kind, owner))) continue
    await makeDir(paths.journalsDir)
    renameSync(path, journalPath(paths, kind, owner))
  }
}

const ownersSchema = {
  landing: z.looseObject({ worktree_id: z.string() }),
  restore: z.looseObject({ invocation_id: z.string() }),
}

function ownerOf(text: string, kind: JournalKind): string | null {
  try {
    const data: unknown = JSON.parse(text)
    const id =
      kind === 'landing'
        ? ownersSchema.landing.parse(data).worktree_id
        : ownersSchema.restore.parse(data).invocation_id
    return isInvocationId(id) ? id : null
  } catch {
    return null
  }
}

export async function writeJournalFile<T>(path: string, schema: z.ZodMiniType<T>, journal: T): Promise<void> {
  await makeDir(dirname(path))
  await writeRecord(path, schema, journal)
}

export const removeJournalFile = (path: string): void => rmSync(path, { force: true })

/** For one that cannot be read: it is kept beside, under a name that stands for no journal. */
export function setJournalAside({ path }: Interrupted): string {
  const aside = `${path}.unreadable`
  if (existsSync(path)) renameSync(path, aside)
  return aside
}
