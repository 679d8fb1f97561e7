// What doctor and gc answer.

/** One finding of doctor. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'problem'
  /** What was looked at: `git`, `data directory`, `runner claude`, `invocation 2026…-b7c9`. */
  readonly subject: string
  readonly message: string
  /** What --fix would do, or what to type; null if nothing has to be done. */
  readonly remedy: string | null
  readonly fixable: boolean
}

export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** What --fix did, sentence by sentence; empty without it. The findings are those of afterwards. */
  readonly fixed: readonly string[]
}

export interface Collected {
  readonly dropped_refs: readonly string[]
  readonly deleted_paths: readonly string[]
}
