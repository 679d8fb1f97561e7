// The integration worktree: the named branch and directory that a person opens, reviews and merges.

import * as z from 'zod/mini'
import { AgencyError } from './errors.ts'
import { objectIdSchema, repoIdSchema, shortId, type WorktreeId, worktreeIdSchema } from './ids.ts'
import { processIdentitySchema } from './invocation.ts'

/** `worktrees/<worktree_id>/meta.json`. Times are RFC 3339 in UTC; paths are absolute and real. */
export const worktreeRecordSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  worktree_id: worktreeIdSchema,
  name: z.string(),
  repo_id: repoIdSchema,
  branch: z.string(),
  parent_branch: z.string(),
  tree_path: z.string(),
  /** The worktree's own directory in the repository's `.git/worktrees`, as git named it. */
  git_dir: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  state: z.enum(['present', 'archived']),
  /** Where the branch was when we last wrote or checked it. If an agent has moved it since, a landing is refused. */
  known_head: objectIdSchema,
  /** The process that made it: if it is gone and there is no index, it was killed before the files were written. */
  maker: z.optional(processIdentitySchema),
})

export type WorktreeRecord = z.infer<typeof worktreeRecordSchema>

const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** Throws E_NAME_INVALID, with the rule that was broken. */
export function checkWorktreeName(name: string): void {
  const broken = brokenNameRule(name)
  if (broken !== null)
    throw new AgencyError('E_NAME_INVALID', `'${name}' cannot be a worktree name: ${broken}`)
}

/** The broken rule in words, or null if the name is good. Also used by the form in the dashboard. */
export function brokenNameRule(name: string): string | null {
  if (name.length < 2) return 'it has fewer than 2 characters'
  if (name.length > 40) return `it has ${name.length} characters, and 40 is the most`
  if (/[^a-z0-9-]/.test(name)) return 'only lowercase letters a-z, digits and hyphens are allowed'
  return NAME.test(name) ? null : 'it may not begin or end with a hyphen'
}

/** The branch of a worktree: its name, and the last four characters of its id so that the branch can be used again. */
export const integrationBranch = (name: string, id: WorktreeId): string => `agency/${name}-${shortId(id)}`
