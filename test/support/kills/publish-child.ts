// A process that publishes and may be killed at any moment. It prints each step before it takes it. Arguments: data
// directory, repository, the commits from which and to which the branch moves, and the step before which it stops, so
// that whoever kills it there is never too late.

import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { Effects } from '../../../src/core/doors/effects.ts'
import { systemProcesses } from '../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../src/core/doors/system/system-clock.ts'
import { parseObjectId } from '../../../src/core/model/ids.ts'
import { publishBranch } from '../../../src/core/operations/integration/publish-branch.ts'
import { recoverJournal } from '../../../src/core/operations/integration/recover-journal.ts'
import { openRepository } from '../../../src/core/store/repository.ts'
import { listWorktrees } from '../../../src/core/store/worktrees.ts'
import { makeEffects } from '../scene/effects.ts'

const [dataDir = '', root = '', from = '', to = '', stopAt] = process.argv.slice(2)
const effects: Effects = {
  ...makeEffects(dataDir, (step) => {
    writeSync(1, `${step}\n`)
    if (step === stopAt) process.kill(process.pid, 'SIGSTOP')
  }),
  clock: systemClock,
  processes: systemProcesses(),
  random: () => randomBytes(2),
}
const repository = await openRepository(effects, root)
const [worktree] = listWorktrees(repository.paths)
if (worktree === undefined) throw new Error('no worktree')
await repository.locked(async () => {
  await recoverJournal(repository)
  const publication = { from: parseObjectId(from), to: parseObjectId(to), reason: 'agency: sweep' }
  await publishBranch(repository, worktree, publication)
})
