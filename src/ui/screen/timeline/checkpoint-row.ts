// One checkpoint on one row: when, which one, its name and why it was taken, how much changed, what it lacks. The columns
// are those of the whole list, so that its figures stand below each other.

import { type DiffTotals, parseDiffstat } from '../../../core/model/change.ts'
import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import { formatAge } from '../../text/ages.ts'
import { count } from '../../text/amounts.ts'
import { lackOf, reasonOf } from '../../text/checkpoint-words.ts'
import { formatClock } from '../../text/clock.ts'
import { spreadLine } from '../../text/fit-line.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import type { Meaning } from '../../text/theme.ts'
import { pad, widthOf } from '../../text/width.ts'
import { glyph } from '../glyphs.ts'
import type { Look } from '../scene.ts'

/** Below it the time of day is left to the detail. */
const NARROW = 40
/** Below it files are not counted, */
const COUNTING = 70
/** and below it what a checkpoint lacks is a sign. */
const WORDY = 96
const AGE = 4

/** Cells of each column; 0 where it has nothing to show. */
export interface RowColumns {
  readonly width: number
  readonly number: number
  readonly added: number
  readonly deleted: number
  readonly files: number
  readonly lack: number
}

export function columnsFor(all: readonly Checkpoint[], width: number, look: Look): RowColumns {
  const widest = (text: (one: Checkpoint) => string): number =>
    Math.max(0, ...all.map((one) => widthOf(text(one))))
  const figure = (pick: (texts: Figures) => string) =>
    widest(({ diffstat }) => pick(figuresOf(diffstat, look)))
  return {
    width,
    number: widest(({ id }) => `${id}`),
    added: figure(({ added }) => added),
    deleted: figure(({ deleted }) => deleted),
    files: width < COUNTING ? 0 : figure(({ files }) => files),
    lack: widest((one) => lackWords(one, width)),
  }
}

export interface ListedCheckpoint {
  readonly checkpoint: Checkpoint
  /** The one before it; undefined for the first. */
  readonly older: Checkpoint | undefined
}

export function checkpointRow(listed: ListedCheckpoint, columns: RowColumns, look: Look): Line {
  const { checkpoint } = listed
  const { created_at, id, name } = checkpoint
  const clock = columns.width < NARROW ? '' : `${formatClock(created_at)}  `
  const left: Span[] = [
    span(`${pad(formatAge(created_at, look.now), AGE, 'right')}  ${clock}`, 'dim'),
    span(pad(`${id}`, columns.number, 'right'), 'strong'),
    '  ',
    ...(name === null ? [] : [span(`${name}  `, 'accent')]),
    name === null ? reasonOf(checkpoint) : span(reasonOf(checkpoint), 'dim'),
  ]
  return spreadLine(left, checkpointFigures(listed, columns, look), columns.width)
}

function checkpointFigures({ checkpoint, older }: ListedCheckpoint, columns: RowColumns, look: Look): Span[] {
  const { added, deleted, files } = figuresOf(checkpoint.diffstat, look)
  const column = (text: string, width: number, as: Meaning): Span[] =>
    width === 0 ? [] : [' ', span(pad(text, width, 'right'), as)]
  return [
    ...column(added, columns.added, 'added'),
    ...column(deleted, columns.deleted, 'removed'),
    ...(columns.files === 0 ? [] : [' ', ...column(files, columns.files, 'dim')]),
    ...(columns.lack === 0 ? [] : [' ']),
    ...column(
      lackWords(checkpoint, columns.width),
      columns.lack,
      lacksMore(checkpoint, older) ? 'needs_you' : 'dim',
    ),
  ]
}

/** What was left out before, too, is no news. */
function lacksMore({ excluded, incomplete }: Checkpoint, older: Checkpoint | undefined): boolean {
  const known = new Set([...(older?.excluded ?? []), ...(older?.incomplete ?? [])])
  return [...excluded, ...incomplete].some((path) => !known.has(path))
}

interface Figures {
  readonly added: string
  readonly deleted: string
  readonly files: string
}

/** A side that has none is left out. Words that are not ours are shown as they are. */
function figuresOf(diffstat: string, look: Pick<Look, 'ascii'>): Figures {
  const totals: DiffTotals | null = parseDiffstat(diffstat)
  if (totals === null) return { added: diffstat, deleted: '', files: '' }
  return {
    added: totals.added === 0 ? '' : `+${totals.added}`,
    deleted: totals.deleted === 0 ? '' : `${glyph('minus', look)}${totals.deleted}`,
    files: count(totals.files, 'file'),
  }
}

function lackWords(checkpoint: Checkpoint, width: number): string {
  const words = lackOf(checkpoint)
  return width >= WORDY || words === '' ? words : '!'
}
