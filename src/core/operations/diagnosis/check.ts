// What doctor finds: each finding comes with a way to mend it, if there is one that loses nothing.

import type { Finding } from '../../facade/diagnosing.ts'
import type { Repository } from '../../store/repository.ts'

export interface Check {
  readonly finding: Finding
  /** Mends it and returns a sentence about what was done. Present exactly if `finding.fixable`. */
  readonly fix?: () => Promise<string>
}

export type Examination = (repository: Repository) => Promise<readonly Check[]>

export const fine = (subject: string, message: string): Check => ({
  finding: { level: 'ok', subject, message, remedy: null, fixable: false },
})

export const note = (subject: string, message: string, remedy: string | null = null): Check => ({
  finding: { level: 'note', subject, message, remedy, fixable: false },
})

export const problem = (subject: string, message: string, remedy: string): Check => ({
  finding: { level: 'problem', subject, message, remedy, fixable: false },
})

/** `remedy` tells the person what --fix will do. */
export const fixable = (
  said: { subject: string; message: string; remedy: string },
  fix: () => Promise<string>,
): Check => ({
  finding: { ...said, level: 'problem', fixable: true },
  fix,
})
