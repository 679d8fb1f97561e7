// What a host does if its watcher cannot be believed, and with a list that grows long.

import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { git } from '../../../support/git/repository.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { canLimitWatches, hostThatWatchesAtMost } from '../../../support/processes/watch-limit.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const CHECKPOINT = { ...checkpointSettings(undefined), quiet_seconds: 1, least_seconds: 1 }

const listed = (run: TestInvocation) => readCheckpoints(run.repository.paths, run.id)
const contentOf = (run: TestInvocation, at: number, path: string): string =>
  git(run.repository.record.root, 'show', `${listed(run).at(at)?.snapshot_commit}:${path}`)

test('a change that the watcher was not told is found by the look at the end, and said', async () => {
  const run = await makeInvocation()
  // If the file is written by its other name, it changes, but the watched directory is told nothing.
  linkSync(join(showPath(run.at.tree), 'README.md'), join(run.at.sandboxDir, 'other-name'))
  await run.launch('until [ -e go ]; do sleep 0.05; done; rm go; sleep 100', { checkpoint: CHECKPOINT })
  writeFileSync(join(showPath(run.at.tree), 'one'), '1\n')
  await waitUntil(() => listed(run).length === 1)
  writeFileSync(join(run.at.sandboxDir, 'other-name'), 'changed\n')
  await run.door.end(run.socket(), 'kill')
  await run.untilEnded()
  expect(contentOf(run, -1, 'README.md')).toBe('changed')
  expect(run.events().filter(({ kind }) => kind === 'checkpoint_corrected')).toMatchObject([
    { message: 'the watcher had not told what changed in README.md' },
  ])
})

test.skipIf(!canLimitWatches())(
  'where the system lets no more be watched, the tree is looked at now and then, and that is said once',
  async () => {
    const run = await makeInvocation(undefined, hostThatWatchesAtMost(0))
    await run.launch('until [ -e go ]; do sleep 0.05; done', {
      checkpoint: { ...CHECKPOINT, interval_seconds: 1 },
    })
    for (const [at, path] of ['one', 'two', 'three'].entries()) {
      writeFileSync(join(showPath(run.at.tree), path), `${path}\n`)
      await waitUntil(() => listed(run).length === at + 1)
    }
    writeFileSync(join(showPath(run.at.tree), 'go'), '')
    await run.untilEnded()
    const reasons = listed(run).map(({ reason }) => reason)
    expect(reasons.slice(1, 3)).toEqual(['interval', 'interval'])
    expect(run.events().map(({ kind }) => kind)).toEqual(['started', 'watch_failed', 'ended'])
  },
)

test('old ones are thinned out when the run has ended', async () => {
  const run = await makeInvocation()
  const rules = {
    keep_all_minutes: 0,
    keep_every_minutes: 600,
    keep_every_for_minutes: 0,
    keep_old_every_minutes: 600,
  }
  await run.launch('sleep 1000', { checkpoint: { ...CHECKPOINT, ...rules } })
  for (const made of [1, 2, 3]) {
    writeFileSync(join(showPath(run.at.tree), 'n'), `${made}\n`)
    await waitUntil(() => listed(run).length === made)
  }
  await run.door.end(run.socket(), 'kill')
  await run.untilEnded()
  expect(listed(run).map(({ id }) => id)).toEqual([1, 3])
})
