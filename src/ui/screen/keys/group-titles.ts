// Where the keys of each group apply, for the help and the README, in the order in which both list them.

import type { BindingGroup } from './bindings.ts'

export const GROUP_TITLES: Readonly<Record<BindingGroup, string>> = {
  anywhere: 'Anywhere',
  new: 'To begin',
  invocation: 'On an agent',
  worktree: 'On a worktree',
  pane: 'In a focused terminal',
  log: 'In a log',
  diff: 'In a diff',
  checkpoints: 'In a list of checkpoints',
  compare: 'In a diff of a checkpoint',
  move: 'In every list',
}

/** Object.keys keeps the order in which they are written. */
export const GROUPS = Object.keys(GROUP_TITLES) as readonly BindingGroup[]
