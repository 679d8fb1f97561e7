// What of a captured state would not come back from its tree: bytes that a filter, an encoding or a conversion of line
// ends changes, and modes that git does not know, or does not look at (core.fileMode=false). Only files that were touched
// since git wrote them are looked at, and of these only those that git converts are compared: with what a check-out of
// the state writes into a directory of ours. So no program runs here that a restore would not run.

import { mkdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { listEntries, pathOfEntry } from '../../../doors/git/list-entries.ts'
import type { Scratch } from '../../../doors/git/scratch-index.ts'
import { copyUnlessSame, holdsCrlf, rawCopy } from '../../../doors/system/compare-files.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { plainModesIn } from '../../../doors/system/plain-modes.ts'
import { parentsOf, rawPath } from '../../../doors/system/raw-paths.ts'
import { createSlices, selectInSlices } from '../../../doors/system/slices.ts'
import { type ObjectId, parseObjectId } from '../../../model/ids.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawInput, rawOf } from '../../../model/raw-bytes.ts'
import { mayBeRefused } from '../../../model/refused-name.ts'
import {
  formatModes,
  isPlainMode,
  type Modes,
  PLAIN_FILE,
  permissionsOf,
  plainPermissions,
  VERBATIM_FILES,
  VERBATIM_MODES,
} from '../../../model/verbatim.ts'
import type { Verbatim } from '../../changeset.ts'
import { type Conversion, type Conversions, sortByConversion } from './sort-by-conversion.ts'

export interface VerbatimRequest {
  readonly scratch: Pick<Scratch, 'git' | 'dir' | 'bind'>
  /** The work tree's path. */
  readonly tree: string
  readonly state_tree: ObjectId
  /** Raw paths of the state that may have been touched. Some may be gone, or no files. */
  readonly touched: Iterable<string>
  /** Of those that were asked about before. */
  readonly conversions?: Conversions
  /** As shown: paths that git could not add. */
  readonly unheld: readonly string[]
  /** As shown: directories that hold nothing or have modes of their own, met on the way. */
  readonly directories: Modes
  /** Raw paths at which the index names a nested repository: a check-out makes the directory. */
  readonly nested: readonly string[]
}

/** null where all of it comes back from the tree alone. */
export async function findVerbatim(request: VerbatimRequest): Promise<Verbatim | null> {
  const { scratch, tree } = request
  const files = await lookAtTouched(request)
  const alone = lookAtUnheld(request)
  const compared = await selectCompared(request, [...files.keys()])
  const entries = await listCompared(request, compared)
  const known = new Map([...[...alone.keys()].map(asPlainFile), ...entries.map(modeOfEntry)])
  for (const [path, there] of alone) files.set(path, there)
  const modes = findModes(request, files, known)
  const changed = await findChanged(request, compared, entries)
  for (const [at, path] of [...alone.keys()].entries()) {
    const copy = `alone-${at}`
    if (!changed.has(path) && rawCopy(rawPath(tree, path), join(scratch.dir, copy))) changed.set(path, copy)
  }
  if (changed.size === 0 && modes.size === 0) return null
  const made = await writeVerbatim(scratch, { changed, modes })
  return { tree: made, paths: new Set(changed.keys()), modes }
}

/** What git could not add is not in the state's tree, so its bytes are kept whatever they are. */
function lookAtUnheld({ tree, unheld }: VerbatimRequest): Map<string, Stats> {
  const raw = unheld.filter((path) => !path.includes('\ufffd')).map(rawOf)
  return new Map(
    raw
      .filter((path) => !isMarkerPath(path) && !mayBeRefused(path))
      .flatMap((path) => {
        const there = lookAtFile(tree, path)
        return there === null ? [] : [[path, there] as const]
      }),
  )
}

const asPlainFile = (path: string) => [path, PLAIN_FILE] as const

/** Those that are regular files or directories above them, with what the system says of them. */
async function lookAtTouched({ tree, touched }: VerbatimRequest): Promise<Map<string, Stats>> {
  const found = new Map<string, Stats>()
  const slice = createSlices()
  for (const path of touched) {
    const there = isMarkerPath(path) ? null : lookAtFile(tree, path)
    if (there !== null) found.set(path, there)
    await slice()
  }
  return found
}

function lookAtFile(tree: string, path: string): Stats | null {
  const there = lstatIfThere(rawPath(tree, path))
  return there?.isFile() === true ? there : null
}

/**
 * `known` holds, for files that git may not see as they are, the modes that the state has. Of all others it has what lies
 * there.
 */
function findModes(
  { tree, directories, nested }: VerbatimRequest,
  files: ReadonlyMap<string, Stats>,
  known: Modes,
): Modes {
  const plain = plainModesIn(tree)
  const made = new Set(nested)
  const own = [...directories].filter(([path]) => !path.includes('\ufffd')).map(toRaw)
  const modes = new Map(own.filter(([path, mode]) => !made.has(path) || !isPlainMode(mode, plain)))
  const seen = new Set<string>()
  for (const [path, { mode }] of files) {
    if (permissionsOf(mode) !== plainPermissions(known.get(path) ?? mode, plain)) modes.set(path, mode)
    for (const parent of parentsOf(path)) {
      if (seen.has(parent)) continue
      seen.add(parent)
      const there = lstatIfThere(rawPath(tree, parent))
      if (there?.isDirectory() === true && !isPlainMode(there.mode, plain)) modes.set(parent, there.mode)
    }
  }
  return modes
}

const toRaw = ([path, mode]: readonly [string, number]): [string, number] => [rawOf(path), mode]

/** By raw path, the name of the copy of its bytes in the scratch directory. */
type Copies = Map<string, string>

/** Where git does not look at modes, or stores no links, these are all. */
async function selectCompared(request: VerbatimRequest, paths: readonly string[]): Promise<string[]> {
  const { scratch, tree } = request
  const early = request.conversions ?? new Map()
  const late = await sortByConversion(
    scratch.git,
    paths.filter((path) => !early.has(path)),
  )
  const pathsOf = (kind: Conversion): string[] =>
    paths.filter((path) => (early.get(path) ?? late.get(path)) === kind)
  const withCrlf = await selectInSlices(pathsOf('line ends'), (path) => holdsCrlf(rawPath(tree, path)))
  return [...pathsOf('doubtful'), ...withCrlf]
}

/** What the state has of them, and the attributes above them. */
async function listCompared(
  { scratch, state_tree }: VerbatimRequest,
  compared: readonly string[],
): Promise<string[]> {
  if (compared.length === 0) return []
  const above = compared.flatMap((path) => parentsOf(path).map((parent) => `${parent}/.gitattributes`))
  return listEntries(scratch.git, state_tree, [...new Set(['.gitattributes', ...above, ...compared])])
}

const modeOfEntry = (entry: string) => [pathOfEntry(entry), Number.parseInt(entry, 8)] as const

async function findChanged(
  request: VerbatimRequest,
  compared: readonly string[],
  entries: readonly string[],
): Promise<Copies> {
  if (compared.length === 0) return new Map()
  const { scratch, tree } = request
  const out = await checkOutAside(scratch, compared, entries)
  const copies: Copies = new Map()
  const slice = createSlices()
  for (const [at, path] of compared.entries()) {
    const copy = `raw-${at}`
    if (copyUnlessSame(rawPath(tree, path), rawPath(out, path), join(scratch.dir, copy)))
      copies.set(path, copy)
    await slice()
  }
  return copies
}

/**
 * Writes these files of the state as a check-out would, into a directory that holds nothing else: so attributes come from
 * the state, as they will then. A file at which git fails is missing there.
 */
async function checkOutAside(
  scratch: VerbatimRequest['scratch'],
  paths: readonly string[],
  entries: readonly string[],
): Promise<string> {
  const out = join(scratch.dir, 'written')
  mkdirSync(out)
  const git = scratch.bind(out)
  const index = join(scratch.dir, 'written-index')
  await git.run(['update-index', '-z', '--index-info'], { index, input: rawInput(entries) })
  await git.run(['checkout-index', '-q', '-z', '--stdin'], {
    index,
    input: rawInput(paths),
    answers: [1, 128],
  })
  return out
}

interface Found {
  readonly changed: Copies
  readonly modes: Modes
}

async function writeVerbatim({ dir, bind }: VerbatimRequest['scratch'], found: Found): Promise<ObjectId> {
  const git = bind(dir)
  const index = join(dir, 'verbatim-index')
  const input = [...found.changed.values()].map((copy) => `${copy}\n`).join('')
  const [hashed, modes] = await Promise.all([
    found.changed.size === 0
      ? ''
      : git.text(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input }),
    git.object(['hash-object', '-w', '--no-filters', '--stdin'], { input: formatModes(found.modes) }),
  ])
  const names = hashed.split('\n').filter((name) => name !== '')
  const entries = [...found.changed.keys()].map(
    (path, at) => `100644 ${parseObjectId(names[at] ?? '')}\t${VERBATIM_FILES}/${path}`,
  )
  await git.run(['update-index', '-z', '--add', '--index-info'], {
    index,
    input: rawInput([`100644 ${modes}\t${VERBATIM_MODES}`, ...entries]),
  })
  return git.object(['write-tree'], { index })
}
