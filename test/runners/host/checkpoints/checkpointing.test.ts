import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { git } from '../../../support/git/repository.ts'
import { makeInvocation, type TestInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'

const CHECKPOINT = { ...checkpointSettings(undefined), quiet_seconds: 1, least_seconds: 1 }

const listed = (run: TestInvocation) => readCheckpoints(run.repository.paths, run.id)
const contentOf = (run: TestInvocation, at: number, path: string): string =>
  git(run.repository.record.root, 'show', `${listed(run).at(at)?.snapshot_commit}:${path}`)

test('while the agent works there is one after each rest', async () => {
  const run = await makeInvocation()
  await run.launch('echo 1 > one; sleep 1000', { checkpoint: CHECKPOINT })
  await waitUntil(() => listed(run).length === 1)
  expect(listed(run)[0]).toMatchObject({ id: 1, diffstat: '+1 -0 in 1 file' })
  writeFileSync(join(showPath(run.at.tree), 'two'), '2\n')
  await waitUntil(() => listed(run).length === 2)
  expect(listed(run)[1]).toMatchObject({ reason: 'quiet', diffstat: '+1 -0 in 1 file' })
})

test('there is one more when the agent has ended, with what it did after the last', async () => {
  const run = await makeInvocation()
  await run.launch('echo 1 > one; until [ -e go ]; do sleep 0.05; done; rm go; echo 3 > three', {
    checkpoint: { ...CHECKPOINT, least_seconds: 3600, interval_seconds: 3600 },
  })
  await waitUntil(() => listed(run).length === 1)
  writeFileSync(join(showPath(run.at.tree), 'go'), '')
  await run.untilEnded()
  expect(listed(run)).toMatchObject([{ reason: 'quiet' }, { reason: 'exit' }])
  expect(contentOf(run, -1, 'three')).toBe('3')
  expect(run.events().map(({ kind }) => kind)).toEqual(['started', 'ended'])
})

test('a run that ends at once has one, a run that did nothing has none', async () => {
  const run = await makeInvocation()
  await run.launch('echo x > x', {
    checkpoint: { ...CHECKPOINT, quiet_seconds: 3600, interval_seconds: 3600 },
  })
  await run.untilEnded()
  expect(listed(run)).toMatchObject([{ id: 1, reason: 'exit' }])
  const idle = await makeInvocation()
  await idle.launch('true', { checkpoint: CHECKPOINT })
  await idle.untilEnded()
  expect(listed(idle)).toEqual([])
})

test('each turn that the runner reports has one with its number', async () => {
  const run = await makeInvocation()
  const result = JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    usage: {},
  })
  const script = `echo 1 > f; echo '${result}'; until [ -e go ]; do sleep 0.05; done; echo 2 > f; echo '${result}'; sleep 100`
  await run.launch(script, { checkpoint: { ...CHECKPOINT, quiet_seconds: 50 }, stream_format: 'claude' })
  await waitUntil(() => listed(run).some(({ turn }) => turn === 1))
  writeFileSync(join(showPath(run.at.tree), 'go'), '')
  await waitUntil(() => listed(run).some(({ turn }) => turn === 2))
  expect(contentOf(run, -1, 'f')).toBe('2')
})

test('what fails is told once, and the run goes on', async () => {
  const run = await makeInvocation()
  await run.launch('echo K > .env; echo 1 > a; until [ -e go ]; do sleep 0.05; done; echo 2 > a', {
    checkpoint: { ...CHECKPOINT, on_denylisted: 'skip' },
  })
  const failed = () => run.events().filter(({ kind }) => kind === 'checkpoint_failed')
  await waitUntil(() => failed().length === 1)
  writeFileSync(join(showPath(run.at.tree), 'go'), '')
  await run.untilEnded()
  expect(failed().map(({ message }) => message)).toEqual([
    'no checkpoint could be taken: no checkpoint: .env may be secret',
  ])
  expect(listed(run)).toEqual([])
  expect(existsSync(join(showPath(run.at.tree), '.env'))).toBe(true)
})

test('a clean tree of many files is looked at once more at the end, for whoever looks next', async () => {
  const run = await makeInvocation()
  const deep = Array.from({ length: 12 }, (_, depth) => `${depth}`.padEnd(240, 'x')).join('/')
  const script = `mkdir -p ${deep}; cd ${deep}; for n in $(seq 370); do : > $n; done; git add .; git commit -qm Many`
  await run.launch(script, { checkpoint: CHECKPOINT })
  await run.untilEnded()
  await waitUntil(() => existsSync(join(run.at.looked, 'look.json')))
})
