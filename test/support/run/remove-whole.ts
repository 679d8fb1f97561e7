import { rmSync } from 'node:fs'

const ROUNDS = 20

/**
 * Deletes a directory in which a process that outlives its test may still write: one that deletes a tree in the
 * background may give it another name. Node lists each directory only once, so a new name needs another round.
 */
export function removeWhole(path: string): void {
  for (let round = 1; ; round += 1) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 2 })
      return
    } catch (error) {
      const hasNewName = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY'
      if (!hasNewName || round === ROUNDS) throw error
    }
  }
}
