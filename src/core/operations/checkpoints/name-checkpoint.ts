// Gives a checkpoint a person's own name. A checkpoint with a name is never thinned out.

import type { Checkpoint } from '../../model/checkpoint.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { updateCheckpoints } from '../../store/checkpoints.ts'
import type { Repository } from '../../store/repository.ts'
import { findCheckpoint } from './find-checkpoint.ts'

const LONGEST = 80

/** null takes the name away. Throws E_CHECKPOINT_NOT_FOUND, E_USAGE. */
export async function nameCheckpoint(
  repository: Repository,
  record: InvocationRecord,
  { checkpoint: number, name }: { readonly checkpoint: number; readonly name: string | null },
): Promise<Checkpoint> {
  const checked = name === null ? null : checkName(name)
  findCheckpoint(repository, record, number)
  await updateCheckpoints(repository, record.invocation_id, (before) =>
    before.map((checkpoint) => (checkpoint.id === number ? { ...checkpoint, name: checked } : checkpoint)),
  )
  return findCheckpoint(repository, record, number)
}

/** Throws E_USAGE. */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && trimmed.length <= LONGEST && !/[\x00-\x1f\x7f]/.test(trimmed)) return trimmed
  throw new AgencyError('E_USAGE', `a checkpoint's name is one line of 1 to ${LONGEST} characters`, {
    hint: 'for example: before the rewrite',
  })
}
