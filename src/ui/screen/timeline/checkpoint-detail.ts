// What is to be known of one checkpoint beside its row: where it is kept, and what it does not hold, by name. As high for
// each checkpoint of a list, so that moving through it moves nothing else.

import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import { formatMoment } from '../../text/clock.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { makeVisible } from '../../text/visible.ts'
import { elide, pad, widthOf } from '../../text/width.ts'

const MOST_PATHS = 3
const NAME_WIDTH = 10
/** Lines that each has: when it was taken, and where it is kept. */
const PLAIN = 2

export const detailHeight = (all: readonly Checkpoint[]): number =>
  PLAIN + mostPaths(all, ({ excluded }) => excluded) + mostPaths(all, ({ incomplete }) => incomplete)

const mostPaths = (all: readonly Checkpoint[], of: (one: Checkpoint) => readonly string[]): number =>
  Math.min(MOST_PATHS, Math.max(0, ...all.map((one) => of(one).length)))

export function viewCheckpointDetail(checkpoint: Checkpoint, width: number): Line[] {
  const { created_at, parent, snapshot_commit, tree, head_sha, excluded, incomplete } = checkpoint
  return [
    detailField('taken', `${formatMoment(created_at)}${parent === null ? '' : `, after ${parent}`}`, width),
    detailField('commit', objects({ snapshot_commit, tree, head_sha }), width),
    ...paths('left out', excluded, width),
    ...paths('not whole', incomplete, width),
  ]
}

const SHORT = 7

/** `8a1b2c3  tree 4d5e6f7  HEAD 9a8b7c6` */
const objects = ({
  snapshot_commit,
  tree,
  head_sha,
}: Pick<Checkpoint, 'snapshot_commit' | 'tree' | 'head_sha'>): string =>
  [
    snapshot_commit.slice(0, SHORT),
    `tree ${tree.slice(0, SHORT)}`,
    head_sha === null ? 'no commit yet' : `HEAD ${head_sha.slice(0, SHORT)}`,
  ].join('  ')

/** One in each line; the last line says how many more there are. */
function paths(name: string, all: readonly string[], width: number): Line[] {
  const rest = all.length - MOST_PATHS
  return all.slice(0, MOST_PATHS).map((path, index) => {
    const more = rest > 0 && index === MOST_PATHS - 1 ? ` and ${rest} more` : ''
    const room = width - NAME_WIDTH - 2 - widthOf(more)
    const shown = span(elide(makeVisible(path), Math.max(1, room), 'middle'), 'needs_you')
    return [label(index === 0 ? name : ''), shown, span(more, 'dim')]
  })
}

const detailField = (name: string, value: string, width: number): Line => [
  label(name),
  elide(value, Math.max(1, width - NAME_WIDTH - 2)),
]

const label = (name: string): Span => span(` ${pad(name, NAME_WIDTH)}`, 'dim')
