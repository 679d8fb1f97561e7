// A tree of ours that has lost its mark: a `git clean -fdx` deletes it. The record and the place still prove that the tree
// is ours, so it gets the mark again. What lies in the way of it may be anybody's, so only the person moves that.

import { hintToMoveAway } from '../../doors/git/git-reads.ts'
import { type Check, fixable, problem } from './check.ts'

export interface LostMark {
  readonly subject: string
  /** What the tree is called in a sentence. */
  readonly tree: string
  readonly message: string
  /** A path from the tree's root. */
  readonly marker: string
  /** Where something else lies, if so. */
  readonly inTheWay: string | null
  /** Returns false where it cannot be written. */
  mark(): boolean
}

export function lookAtLostMark({ subject, tree, message, marker, inTheWay, mark }: LostMark): Check {
  if (inTheWay !== null) {
    return problem(
      subject,
      `${message}, and something else lies in the way of it: ${inTheWay}`,
      `${hintToMoveAway(inTheWay)}; then agency doctor --fix`,
    )
  }
  return fixable({ subject, message, remedy: `write ${marker} again` }, async () =>
    mark() ? `marked ${tree} again` : `left ${tree} unmarked: something else lies in its way by now`,
  )
}
