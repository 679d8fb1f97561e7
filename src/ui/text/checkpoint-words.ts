// Why a checkpoint was taken and what it lacks, in words; the same in every list of them.

import type { Checkpoint, CheckpointReason } from '../../core/model/checkpoint.ts'
import { count } from './amounts.ts'

const REASONS: Readonly<Record<CheckpointReason, string>> = {
  quiet: 'after a pause',
  interval: 'now and then',
  turn: 'after a turn',
  exit: 'at the exit',
  asked: 'asked for',
  restore: 'before a restore',
}

/** `after a pause`, `turn 3`. */
export const reasonOf = ({ reason, turn }: Pick<Checkpoint, 'reason' | 'turn'>): string =>
  turn === null ? REASONS[reason] : `turn ${turn}`

/** `2 files left out, incomplete`; empty where it lacks nothing. */
export const lackOf = ({ excluded, incomplete }: Pick<Checkpoint, 'excluded' | 'incomplete'>): string =>
  [
    excluded.length === 0 ? '' : `${count(excluded.length, 'file')} left out`,
    incomplete.length === 0 ? '' : 'incomplete',
  ]
    .filter((part) => part !== '')
    .join(', ')
