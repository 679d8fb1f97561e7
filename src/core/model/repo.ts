// What Agency remembers of one git repository, under `repos/<repo_id>/`.

import * as z from 'zod/mini'
import { repoIdSchema } from './ids.ts'

/** `repo.json`. `root` is the main work tree, or the bare repository itself; paths are absolute and real. */
export const repoRecordSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  repo_id: repoIdSchema,
  root: z.string(),
  git_common_dir: z.string(),
  /** Where its records lay when they were last written. */
  data_dir: z.optional(z.string()),
  /** Tells the common directory from another one that is put in its place. */
  common_dir_mark: z.optional(z.string()),
  created_at: z.string(),
  last_used_at: z.string(),
  /**
   * The repository's local git configuration as it was when the person first used the repository here, as `[key,
   * value]` pairs (null: a key without value). Agents share the file and may change it, so our own git uses this copy.
   */
  trusted_config: z.array(z.tuple([z.string(), z.nullable(z.string())])),
})

export type RepoRecord = z.infer<typeof repoRecordSchema>
