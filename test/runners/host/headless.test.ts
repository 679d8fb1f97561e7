import { expect, test } from 'vitest'
import { makeInvocation } from '../../support/invocation.ts'

test('a headless run is recorded from its start to its end', async () => {
  const run = await makeInvocation()
  await run.launch('echo out; echo err >&2; exit 3', { prompt: 'do it' })
  const ended = await run.untilEnded()
  expect(ended).toMatchObject({
    status: 'failed',
    exit_reason: 'exited',
    exit_code: 3,
    exit_signal: null,
    landing_status: 'pending',
    host: { pid: run.pid() },
  })
  expect(run.log('raw')).toBe('out\n')
  expect(run.log('stderr')).toBe('err\n')
  expect(run.events().map((event) => event.kind)).toEqual(['started', 'ended'])
})
