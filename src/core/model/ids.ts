// Ids. They are branded, so that a worktree's id cannot be passed for an invocation's. Only parsers make them.

import * as z from 'zod/mini'

const STAMPED_ID = /^\d{14}-[0-9a-f]{4}$/

export const repoIdSchema = z
  .string()
  .check(z.regex(/^[0-9a-f]{16}$/))
  .brand<'RepoId'>()
export const worktreeIdSchema = z.string().check(z.regex(STAMPED_ID)).brand<'WorktreeId'>()
export const invocationIdSchema = z.string().check(z.regex(STAMPED_ID)).brand<'InvocationId'>()
export const objectIdSchema = z
  .string()
  .check(z.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/))
  .brand<'ObjectId'>()

export type RepoId = z.infer<typeof repoIdSchema>
export type WorktreeId = z.infer<typeof worktreeIdSchema>
export type InvocationId = z.infer<typeof invocationIdSchema>
/** A full git object name, SHA-1 or SHA-256, in lowercase hex. */
export type ObjectId = z.infer<typeof objectIdSchema>

export const parseWorktreeId = (text: string): WorktreeId => worktreeIdSchema.parse(text)
export const parseInvocationId = (text: string): InvocationId => invocationIdSchema.parse(text)
export const parseObjectId = (text: string): ObjectId => objectIdSchema.parse(text.trim())

/** Whether its parser would accept the text. Quick, because it is asked of ten thousand names at once. */
export const isInvocationId = (text: string): text is InvocationId => STAMPED_ID.test(text)

/** What a new id is made of. */
export interface Stamp {
  readonly now: Date
  readonly random: Uint8Array
}

/**
 * `<yyyymmddhhmmss>-<4hex>` in UTC. `random` is two bytes. If two ids are the same, an exclusive mkdir decides who gets
 * it.
 */
export function formatStampedId(now: Date, random: Uint8Array): string {
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  return `${stamp}-${Buffer.from(random.subarray(0, 2)).toString('hex')}`
}

/** The last four characters: what people see in lists and in the names of branches. */
export const shortId = (id: WorktreeId | InvocationId): string => id.slice(-4)
