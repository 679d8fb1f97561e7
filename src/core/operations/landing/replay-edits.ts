// Commits that only edit files which the other side left alone need no merge: the file becomes what the commit made of
// it. All of them are written by one git, where each merge would be a git of its own. Whatever adds, deletes or renames
// is merged: git may find that the other side has moved its directory.

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
  /** The tree that they are put on. */
  readonly onto: ObjectId
  /** Oldest first, each the next one's only parent. */
  readonly commits: readonly ObjectId[]
  /** These commits, and the first one's parent. */
  readonly objects: ReadonlyMap<ObjectId, CommitObject>
}

/** Fewer are merged as fast. */
const FEWEST = 3
const MOST_PATHS = 500

/** The tree behind each of the leading commits of that kind, as the merge would make it. */
export async function replayEdits(request: EditsRequest): Promise<readonly ObjectId[]> {
  const { store, onto, commits } = request
  if (commits.length < FEWEST) return []
  const steps = selectEdits(await readSteps(request))
  const paths = [...new Set(steps.flatMap((step) => step.map(({ path }) => path)))]
  if (steps.length < FEWEST || paths.length > MOST_PATHS) return []
  const fitting = selectFitting(steps, await listEntries(store, onto, paths))
  if (fitting.length < FEWEST) return []
  const ref = `refs/agency/scratch/${randomBytes(8).toString('hex')}`
  const args = [...LOOSE, 'fast-import', '--quiet', '--depth=0']
  const input = formatEdits({ ref, tree: onto, steps: fitting })
  const imported = await store.run(args, { input, answers: [1, 128] })
  // A file that is missing is no hindrance to a merge that need not read it.
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

/** The leading ones. */
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
async function listEntries(
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

/** The leading ones whose files are here what they were there. `entries` is brought along. */
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
