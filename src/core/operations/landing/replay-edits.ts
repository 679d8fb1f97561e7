// A shortcut for commits that only edit files which the other side has not touched: they need no merge, because each
// file becomes what the commit made of it. One git writes all of them, where every merge would be a git of its own. A
// commit that adds, deletes or renames is merged, because git may find that the other side has moved its directory.

import { randomBytes } from 'node:crypto'
import type { Git } from '../../doors/effects.ts'
import { LOOSE } from '../../doors/git/importer.ts'
import type { CommitObject } from '../../model/commit-object.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { formatEdits } from '../../model/import-stream.ts'
import { rawFields, rawOf, showRaw } from '../../model/raw-bytes.ts'
import { parseDiffs, type RawChange } from '../../model/raw-diff.ts'

export interface EditsRequest {
  readonly store: Git
  /** The tree to put the commits on. */
  readonly onto: ObjectId
  /** Oldest first. Each is the only parent of the next. */
  readonly commits: readonly ObjectId[]
  /** These commits, and the parent of the first. */
  readonly objects: ReadonlyMap<ObjectId, CommitObject>
}

/** Fewer commits are merged just as fast. */
const FEWEST = 3
const MOST_PATHS = 500

/**
 * The trees after each of the first commits, as merging would make them. Stops before the first one that needs a merge.
 */
export async function replayEdits(request: EditsRequest): Promise<readonly ObjectId[]> {
  const { store, onto, commits } = request
  if (commits.length < FEWEST) return []
  const steps = selectEdits(await readSteps(request))
  const paths = [...new Set(steps.flatMap((step) => step.map(({ path }) => path)))]
  if (steps.length < FEWEST || paths.length > MOST_PATHS) return []
  const fitting = selectFitting(steps, await listTreeEntries(store, onto, paths))
  if (fitting.length < FEWEST) return []
  const ref = `refs/agency/scratch/${randomBytes(8).toString('hex')}`
  const args = [...LOOSE, 'fast-import', '--quiet', '--depth=0']
  const input = formatEdits({ ref, tree: onto, steps: fitting })
  const imported = await store.run(args, { input, answers: [1, 128] })
  // An object is missing that fast-import needs. A merge may not need it, so it is left to that.
  if (imported.exitCode !== 0) return []
  return imported.stdout
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((line) => parseObjectId(line.split(/[ \t]/)[2] ?? ''))
}

/** What each commit changes. */
async function readSteps({ store, commits, objects }: EditsRequest): Promise<readonly RawChange[][]> {
  const pairs = commits.map((id) => {
    const commit = objects.get(id)
    const parent = objects.get(commit?.parents[0] ?? id)
    if (commit === undefined || parent === undefined) throw new Error(`${id} was not read`)
    return `${parent.tree} ${commit.tree}\n`
  })
  const args = ['--stdin', '-r', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none', '-z']
  const diffs = parseDiffs((await store.run(['diff-tree', ...args], { input: pairs.join('') })).stdout)
  return pairs.map((pair) => diffs.get(pair.trimEnd()) ?? [])
}

/** The first commits, as long as they only edit files. */
function selectEdits(steps: readonly RawChange[][]): readonly RawChange[][] {
  const end = steps.findIndex((step) => !step.every(isEdit))
  return end < 0 ? steps : steps.slice(0, end)
}

const isEdit = ({ kind, old_mode, new_mode, path }: RawChange): boolean =>
  kind === 'modified' &&
  old_mode.startsWith('100') &&
  new_mode.startsWith('100') &&
  rawOf(showRaw(path)) === path

/** `mode object`, by raw path. */
async function listTreeEntries(
  store: Git,
  tree: ObjectId,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const listed = await store.run(['ls-tree', '-z', '--full-tree', tree, '--', ...paths.map(showRaw)])
  return new Map(
    rawFields(listed.stdout).map((line) => {
      const [mode = '', , object = ''] = line.slice(0, line.indexOf('\t')).split(' ')
      return [line.slice(line.indexOf('\t') + 1), `${mode} ${object}`]
    }),
  )
}

/** The first steps, as long as each finds the files as its commit found them. Updates `entries` as it goes. */
function selectFitting(
  steps: readonly RawChange[][],
  entries: Map<string, string>,
): readonly (readonly RawChange[])[] {
  const end = steps.findIndex((step) => {
    const fits = step.every(
      (change) => entries.get(change.path) === `${change.old_mode} ${change.old_object}`,
    )
    for (const { path, new_mode, new_object } of step) entries.set(path, `${new_mode} ${new_object}`)
    return !fits
  })
  return end < 0 ? steps : steps.slice(0, end)
}
