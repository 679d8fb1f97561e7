import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchTree } from '../../../../src/core/changesets/worktree/watch/tree-watcher.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { openCheckpointer } from '../../../../src/core/operations/checkpoints/checkpointer.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { makeScene, namesBeside } from '../../../support/scene/sandbox.ts'

const ROUNDS = Number(process.env['LONG_TEST_ROUNDS'] ?? 25)
const CHECKPOINTS = 4

/**
 * Every command must do what it does without us: the script ends at the first one that fails or answers otherwise. The
 * script runs `gc --prune=now` itself, between its commands. In the middle of a command, that would delete git's own
 * new objects.
 */
const AGENT = `
set -e
n=0
while [ $n -lt ${ROUNDS} ] || [ ! -e "$1" ]; do
  n=$((n + 1))
  echo $n > work; echo $n > "new-$n"; git add -A; git commit -qm "work $n"
  echo staged-$n > work; git add work; echo dirty-$n >> work
  git stash -q; test "$(cat work)" = "$n"; git stash pop -q --index
  test "$(git show :work)" = "staged-$n"; test "$(tail -n 1 work)" = "dirty-$n"
  git checkout -q -f HEAD
  git checkout -q -b side-$n HEAD^; echo side > "side-$n"; git add .; git commit -qm "side $n"
  git checkout -q -; git rebase -q side-$n; test -f "side-$n"
  test "$(git log -1 --format=%s)" = "work $n"; test -z "$(git status --porcelain)"
  git branch -q -D side-$n
  if [ $n -eq 3 ] || [ $n -eq 9 ]; then git gc -q --prune=now; fi
done
`

test(`an agent that commits, stashes and rebases ${ROUNDS} times beside checkpoints never notices them`, async () => {
  const scene = await makeScene({ a: 'a\n', work: '0\n' })
  git(scene.tree, 'config', 'user.email', 'agent@example.com')
  git(scene.tree, 'config', 'user.name', 'Agent')
  const repository = await openRepository({ ...scene.repository.effects, clock: systemClock }, scene.root)
  const { invocation_id: id } = scene.record
  const checkpointer = openCheckpointer(repository, scene.record)
  let pending: Set<string> | null = null
  const watcher = await watchTree({
    tree: scene.tree,
    listIgnored: async () => [],
    onPaths: (paths) => {
      for (const path of paths) pending?.add(path)
    },
    onUnknown: () => {
      pending = null
    },
    onFailed: () => {},
  })
  const enough = join(scene.root, '..', 'enough')
  const agent = spawn('sh', ['-c', AGENT, 'agent', enough], {
    cwd: scene.tree,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  agent.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const ended = once(agent, 'exit').then(([code]) => code as number)
  const failures: string[] = []
  while (agent.exitCode === null) {
    const paths = pending
    pending = new Set()
    const settings = checkpointSettings(undefined)
    await checkpointer
      .take({ reason: 'quiet', settings, paths })
      .catch((error) => failures.push(String(error)))
    if (readCheckpoints(repository.paths, id).length >= CHECKPOINTS) writeFileSync(enough, '')
    await Promise.race([ended, sleep(200)])
  }
  await watcher.close()
  expect({ code: await ended, said }).toEqual({ code: 0, said: '' })
  expect(failures).toEqual([])
  expect(existsSync(join(showPath(scene.record.git_dir), 'index.lock'))).toBe(false)
  const taken = readCheckpoints(repository.paths, id)
  expect(taken.length).toBeGreaterThanOrEqual(CHECKPOINTS)
  git(scene.root, 'gc', '-q', '--prune=now')
  expect(git(scene.root, 'fsck', '--no-dangling', '--strict')).toBe('')
  for (const { tree, snapshot_commit } of taken) {
    expect(git(scene.root, 'rev-parse', `${snapshot_commit}^{tree}`)).toBe(tree)
  }
  expect(namesBeside(scene.tree)).toEqual(['checkpoints.json', 'logs', 'tree'])
})
