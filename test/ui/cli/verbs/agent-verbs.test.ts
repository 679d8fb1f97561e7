import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { FINISHED, invocationView, usageOf } from '../../../support/records/records.ts'
import { runCli } from '../../../support/scene/command-line.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

const waitingFor = (change: Partial<InvocationRecord>) =>
  recordingAgency({
    waitInvocation: async () => invocationView({ ...FINISHED, mode: 'headless', ...change }),
  })

const DENIED = usageOf({ denied_tools: ['Write'] })

test('whoever waited for an agent learns that it was not allowed to do its work', async () => {
  const agency = waitingFor({ usage: DENIED })
  const ran = await runCli(['agent', 'wait', 'b7c9'], { agency })
  expect(ran.status).toBe(0)
  expect(ran.out.split('\n').slice(2)).toEqual([
    'b7c9 (claude): 1 tool call was DENIED (Write), and it changed nothing',
    'to let it write, start it again with: --runner-arg --permission-mode --runner-arg acceptEdits',
    '',
  ])
  const json = await runCli(['agent', 'wait', 'b7c9', '--json'], { agency })
  expect(json.err).toContain('1 tool call was DENIED (Write)')
})

test('nothing is said of a headed agent, or of one whose sandbox is gone', async () => {
  for (const change of [{ mode: 'headed' }, { landing_status: 'landed' }] as const) {
    const ran = await runCli(['agent', 'wait', 'b7c9'], { agency: waitingFor({ usage: DENIED, ...change }) })
    expect(ran.out.split('\n')).toHaveLength(3)
  }
})
