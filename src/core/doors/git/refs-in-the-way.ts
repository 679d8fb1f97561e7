// Refs that stand where a ref of ours has to be. git keeps refs as paths: where `refs/agency/trash/ID/x` is, there can be no
// `refs/agency/trash/ID`, and beside a branch `agency` no branch of ours. Such a ref is moved aside under a name of its
// own, and never deleted. A loose file that is no ref at all is moved out of the refs.

import { mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ObjectId } from '../../model/ids.ts'
import { parseObjectId } from '../../model/ids.ts'
import { SNAPSHOT_REFS, TRASH_REFS } from '../../model/refs.ts'
import type { RepositoryGit } from '../effects.ts'
import { listDirents, lstatIfThere } from '../system/files.ts'
import { readTip } from './read-tips.ts'

export interface RefInTheWay {
  readonly ref: string
  /** null where its file names no object: it is broken, or a symbolic ref that leads nowhere. */
  readonly object: ObjectId | null
}

const ID = '\\d{14}-[0-9a-f]{4}'

/** Names under which nothing of ours can be, beside those that lie below a branch of ours. */
const IN_THE_WAY = [
  /^refs\/(?:heads\/)?agency$/,
  /^refs\/agency\/(?:trash|snapshots)$/,
  new RegExp(`^${TRASH_REFS}${ID}/.`),
  new RegExp(`^${SNAPSHOT_REFS}${ID}(?:$|/\\d+/.)`),
  new RegExp(`^refs/heads/agency/sandbox-${ID}/.`),
]

/** `branches`: ours, without refs/heads/. */
export async function findRefsInTheWay(
  git: RepositoryGit,
  branches: readonly string[],
): Promise<RefInTheWay[]> {
  const below = branches.map((branch) => `refs/heads/${branch}/`)
  const isInTheWay = (ref: string): boolean =>
    IN_THE_WAY.some((name) => name.test(ref)) || below.some((prefix) => ref.startsWith(prefix))
  const whole = await listRefs(git)
  const broken = [
    ...looseBelow(git.commonDir, 'refs/agency'),
    ...looseBelow(git.commonDir, 'refs/heads/agency').filter(isInTheWay),
  ].filter((ref) => !whole.has(ref))
  return [
    ...[...whole].filter(([ref]) => isInTheWay(ref)).map(([ref, object]) => ({ ref, object })),
    ...broken.map((ref) => ({ ref, object: null })),
  ]
}

/** All in our places, loose and packed. git leaves broken ones out. */
async function listRefs({ store }: RepositoryGit): Promise<Map<string, ObjectId>> {
  const format = '--format=%(refname) %(objectname)'
  const listed = await store.text(['for-each-ref', format, 'refs/agency', 'refs/heads/agency'])
  return new Map(
    listed.split('\n').flatMap((line) => {
      const [ref, object] = line.split(' ')
      return ref && object ? [[ref, parseObjectId(object)] as const] : []
    }),
  )
}

const MOST = 20_000

/** Names of the files that lie at or below this one; no link is followed. */
function looseBelow(commonDir: string, root: string): string[] {
  const there = lstatIfThere(join(commonDir, root))
  if (there === null) return []
  if (!there.isDirectory()) return [root]
  const found: string[] = []
  const waiting = [root]
  for (let seen = 0; waiting.length > 0 && seen < MOST; seen++) {
    const dir = waiting.pop() ?? root
    for (const entry of listDirents(join(commonDir, dir))) {
      if (entry.isDirectory()) waiting.push(`${dir}/${entry.name}`)
      else if (!entry.name.endsWith('.lock')) found.push(`${dir}/${entry.name}`)
    }
  }
  return found
}

/** Returns where it is now: a ref, or the path of a file that was none. */
export async function moveRefAside(git: RepositoryGit, { ref, object }: RefInTheWay): Promise<string> {
  if (object === null) return moveFileAside(git.commonDir, ref)
  const to = await freeName(git, ref)
  // A bare repository has no reflogs, and git makes no directory through the link by which it looks for them.
  mkdirSync(join(git.commonDir, 'logs'), { recursive: true })
  const input = `create ${to}\0${object}\0delete ${ref}\0\0`
  await git.store.run(['update-ref', '--no-deref', '--stdin', '-z'], { input })
  return to
}

/** A branch stays a branch. Without slashes, so that it stands in nobody's way again. */
async function freeName({ store }: RepositoryGit, ref: string): Promise<string> {
  const branch = ref.startsWith('refs/heads/')
  const flat = ref.slice((branch ? 'refs/heads/' : 'refs/').length).replaceAll('/', '-')
  const base = branch ? `refs/heads/set-aside/${flat}` : `refs/set-aside/${flat}`
  let name = base
  for (let n = 2; (await readTip(store, name)) !== null; n++) name = `${base}-${n}`
  return name
}

function moveFileAside(commonDir: string, ref: string): string {
  const base = join(commonDir, 'agency-set-aside', ref.replaceAll('/', '-'))
  let to = base
  for (let n = 2; lstatIfThere(to) !== null; n++) to = `${base}-${n}`
  mkdirSync(dirname(to), { recursive: true })
  renameSync(join(commonDir, ref), to)
  return to
}
