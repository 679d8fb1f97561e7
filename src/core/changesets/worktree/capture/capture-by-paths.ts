// The fast way to capture a tree: takes the state that was captured before and applies the paths that are said to have
// changed. The result is exactly what a look at the whole tree would give; where that is not certain, it is null.

import type { Stats } from 'node:fs'
import type { Git, RepositoryGit, TreeLocation } from '../../../doors/effects.ts'
import type { Importer } from '../../../doors/git/importer.ts'
import { withoutIndex } from '../../../doors/git/scratch-index.ts'
import { selectIgnored } from '../../../doors/git/select-ignored.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { plainModesIn } from '../../../doors/system/plain-modes.ts'
import { parentsOf } from '../../../doors/system/raw-paths.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { rawFields, rawInput, rawOf } from '../../../model/raw-bytes.ts'
import { GITLINK_MODE } from '../../../model/raw-diff.ts'
import { isPlainMode } from '../../../model/verbatim.ts'
import type { Verbatim } from '../../changeset.ts'
import { type LeaveOut, selectKnown } from './leave-out.ts'
import { type LookedAt, lookAtPaths } from './look-at-paths.ts'
import { type OuterRules, selectRuled } from './outer-rules.ts'
import { type ReadFile, readContent } from './read-content.ts'

export interface PathsRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  readonly scratchDir: string
  /** From the tree's root, as text. */
  readonly paths: ReadonlySet<string>
  readonly before: Before
  readonly leaveOut: LeaveOut
  readonly outer: OuterRules
  /** Can be asked what the earlier state has at a path. */
  readonly importer: Pick<Importer, 'list'>
}

/** The state that was captured before. */
export interface Before {
  /** What its HEAD file said. */
  readonly said_head: string
  readonly head: ObjectId
  readonly head_tree: ObjectId
  readonly staged_tree: ObjectId
  readonly state_tree: ObjectId
  readonly excluded: readonly string[]
  readonly incomplete: readonly string[]
  readonly verbatim: Verbatim | null
}

export interface PathChanges {
  readonly deleted: readonly string[]
  readonly files: readonly ReadFile[]
  /** Of the whole tree, as it is now. */
  readonly excluded: readonly string[]
}

/** With more paths than this, or more bytes in them, a look at the whole tree is as fast. */
export const MOST_CHANGED_PATHS = 500
export const MOST_BYTES = 16 * 1024 * 1024

/** null where the capture cannot be made this way. No deletions and no files means that nothing has changed. */
export async function captureByPaths(request: PathsRequest): Promise<PathChanges | null> {
  const { where, before, paths } = request
  const looked = lookAtPaths({
    tree: where.tree_path,
    paths,
    apart: new Set(before.incomplete),
    limit: MOST_CHANGED_PATHS,
  })
  if (looked === null || changesVerbatim(where.tree_path, looked, before.verbatim)) return null
  const answers = await findAnswers(request, looked)
  if (answers === null) return null
  const wanted = await selectWanted(request, looked, answers)
  return wanted === null ? null : readChanged(request, { looked, answers, wanted })
}

/** What the tree does not bring back is found by a look at the whole tree alone. */
function changesVerbatim(tree: string, { present, gone }: LookedAt, verbatim: Verbatim | null): boolean {
  const plain = plainModesIn(tree)
  const noted = (path: string): number | null => verbatim?.modes.get(rawOf(path)) ?? null
  const oddMode = ({ mode }: Stats): number | null => (isPlainMode(mode, plain) ? null : mode)
  const above = new Set([...present.keys(), ...gone].flatMap(parentsOf))
  const isOther = (path: string, there: Stats | null): boolean =>
    noted(path) !== (there === null || there.isSymbolicLink() ? null : oddMode(there))
  return (
    [...present].some(([path, there]) => isOther(path, there)) ||
    [...above].some((path) => isOther(path, lstatIfThere(`${tree}/${path}`))) ||
    (verbatim !== null && holdsAny(verbatim, present, gone))
  )
}

/** Whether it holds bytes of one of these files, or something of a file that has gone. */
function holdsAny(verbatim: Verbatim, present: LookedAt['present'], gone: readonly string[]): boolean {
  if ([...present.keys()].some((path) => verbatim.paths.has(rawOf(path)))) return true
  const lost = gone.filter((path) => !present.has(path)).map(rawOf)
  const held = [...verbatim.paths, ...verbatim.modes.keys()]
  return lost.some((path) => held.some((one) => one === path || one.startsWith(`${path}/`)))
}

interface Answers {
  /** Those that the earlier state does not hold and git ignores. */
  readonly ignored: ReadonlySet<string>
  /** Files whose line ends git may convert. */
  readonly converted: Converted
  /** `mode object`, by path, in the earlier state. */
  readonly known: ReadonlyMap<string, string>
}

/**
 * null where a filter applies, or git cannot say. The ignore rules have not changed, so a file that the earlier state
 * holds is still not ignored and need not be asked about.
 */
async function findAnswers(request: PathsRequest, looked: LookedAt): Promise<Answers | null> {
  const { where, before, importer, outer } = request
  const present = [...looked.present.keys()]
  const known = await importer.list(before.state_tree, looked.gone)
  if ([...known.values()].some((entry) => entry.startsWith(GITLINK_MODE))) return null
  const unknown = present.filter((path) => known.get(path)?.startsWith(DIRECTORY_MODE) !== false)
  const ruled = selectRuled(where.tree_path, present, outer)
  if (unknown.length + ruled.length === 0) return { ignored: new Set(), converted: new Map(), known }
  const scratch = { ...request, head: before.said_head }
  const [ignored, converted] = await withoutIndex(scratch, (git) =>
    Promise.all([selectIgnored(git, unknown.map(rawOf)), selectConverted(git, ruled)]),
  )
  return ignored === null || converted === null ? null : { ignored, converted, known }
}

const DIRECTORY_MODE = '040000'

const ATTRIBUTES = ['filter', 'working-tree-encoding', 'ident', 'text', 'eol', 'crlf'] as const
const LINE_ENDS = new Set<string>(['text', 'eol', 'crlf'])

/** By raw path, whether a check-out would write CRLF. */
export type Converted = ReadonlyMap<string, boolean>

/** null where git does more to a file than convert its line ends. */
export async function selectConverted(git: Git, paths: readonly string[]): Promise<Converted | null> {
  if (paths.length === 0) return new Map()
  const asked = await git.run(['check-attr', '-z', '--stdin', ...ATTRIBUTES], {
    input: rawInput(paths.map(rawOf)),
    answers: [128],
  })
  if (asked.exitCode !== 0) return null
  const fields = rawFields(asked.stdout)
  const converted = new Map<string, boolean>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', attribute = '', value = ''] = fields.slice(at, at + 3)
    if (value === 'unspecified' || value === 'unset') continue
    if (!LINE_ENDS.has(attribute)) return null
    converted.set(path, value === 'crlf' || converted.get(path) === true)
  }
  return converted
}

interface Wanted {
  readonly files: readonly string[]
  readonly excluded: readonly string[]
}

/** null where a file is over the limit but git may already hold it as it is. */
async function selectWanted(
  { git: { store }, before, leaveOut }: PathsRequest,
  { present }: LookedAt,
  { ignored }: Answers,
): Promise<Wanted | null> {
  const isLarge = (path: string): boolean => (present.get(path)?.size ?? 0) > leaveOut.max_file_size
  const all = [...present.keys()]
  const doubtful = all.filter((path) => leaveOut.untracked || ignored.has(rawOf(path)) || isLarge(path))
  const secrets = all.filter((path) => leaveOut.isSecret(rawOf(path)))
  const [tracked, public_] = await Promise.all([
    selectKnown(store, before.staged_tree, doubtful.map(rawOf)),
    selectKnown(store, before.head_tree, secrets.map(rawOf)),
  ])
  const isWanted = (path: string): boolean =>
    tracked.has(rawOf(path)) || !(leaveOut.untracked || ignored.has(rawOf(path)))
  const wanted = all.filter(isWanted)
  if (wanted.some((path) => isLarge(path) && tracked.has(rawOf(path)))) return null
  const isExcluded = (path: string): boolean =>
    isLarge(path) || (leaveOut.isSecret(rawOf(path)) && !public_.has(rawOf(path)))
  return { files: wanted.filter((path) => !isExcluded(path)), excluded: wanted.filter(isExcluded) }
}

interface Selected {
  readonly looked: LookedAt
  readonly answers: Answers
  readonly wanted: Wanted
}

/** null where a file stops being a file while we read it, or git would convert its line ends. */
function readChanged(
  { where, before }: PathsRequest,
  { looked, answers, wanted }: Selected,
): PathChanges | null {
  const files: ReadFile[] = []
  let bytes = 0
  for (const path of wanted.files) {
    const there = looked.present.get(path)
    bytes += there?.size ?? 0
    const file =
      there === undefined || bytes > MOST_BYTES ? null : readFile(where.tree_path, { path, there, before })
    if (file === null) return null
    const toCrlf = answers.converted.get(rawOf(path))
    if (toCrlf === true || (toCrlf === false && file.content.includes('\r\n'))) return null
    files.push(file)
  }
  const same = new Set(files.filter((file) => isKnown(file, answers)).map(({ path }) => path))
  const directories = looked.gone.some((path) => answers.known.get(path)?.startsWith(DIRECTORY_MODE))
  return {
    ...(directories ? { deleted: looked.gone, files } : withoutSame({ looked, answers, files, same })),
    excluded: excludedNow(before.excluded, looked, wanted.excluded),
  }
}

const isKnown = ({ path, mode, object }: ReadFile, { known }: Answers): boolean =>
  known.get(path) === `${mode} ${object}`

function withoutSame({
  looked,
  answers,
  files,
  same,
}: Pick<Selected, 'looked' | 'answers'> & {
  readonly files: readonly ReadFile[]
  readonly same: ReadonlySet<string>
}): Pick<PathChanges, 'deleted' | 'files'> {
  const changed = files.filter(({ path }) => !same.has(path))
  const added = new Set(changed.map(({ path }) => path))
  return {
    files: changed,
    deleted: looked.gone.filter((path) => !same.has(path) && (added.has(path) || answers.known.has(path))),
  }
}

function readFile(
  tree: string,
  { path, there, before }: { path: string; there: Stats; before: Before },
): ReadFile | null {
  try {
    return readContent({ tree, path, there, objectSize: before.head.length / 2 })
  } catch {
    return null
  }
}

/** A path that was looked at just now is judged anew; for all others the earlier answer stands. */
function excludedNow(before: readonly string[], looked: LookedAt, now: readonly string[]): string[] {
  const gone = new Set(looked.gone)
  const isJudged = (path: string): boolean =>
    path.split('/').some((_part, depth, parts) => gone.has(parts.slice(0, depth + 1).join('/')))
  return [...new Set([...before.filter((path) => !isJudged(path)), ...now])].sort()
}
