import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { git } from '../../../support/git/repository.ts'
import { FINISHED, invocationRecord, invocationView } from '../../../support/records/records.ts'
import { parseEnvelope, runCli } from '../../../support/scene/command-line.ts'
import { type RecordingAgency, recordingAgency } from '../../../support/scene/recording-agency.ts'

/** As much of a repository with agents as the demo needs. */
function stage(): { agency: RecordingAgency; places: string[] } {
  const records: InvocationRecord[] = []
  const find = (typed: string): InvocationRecord => {
    const record = records.find(({ invocation_id }) => invocation_id.endsWith(typed))
    if (record === undefined) throw new AgencyError('E_INVOCATION_NOT_FOUND')
    return record
  }
  const agency = recordingAgency({
    startInvocation: async ({ name = '', prompt, runner = '' }) => {
      const id = parseInvocationId(`20260128120500-000${records.length}`)
      records.push(invocationRecord({ invocation_id: id, invocation_name: name, prompt, runner }))
      return find(id)
    },
    listInvocations: async () => ({
      invocations: records.map((record) => invocationView(record)),
      broken: [],
    }),
    waitInvocation: async (typed) => {
      records.splice(records.indexOf(find(typed)), 1, { ...find(typed), ...FINISHED })
      return invocationView(find(typed))
    },
    landInvocation: async (typed, options) => {
      const { invocation_name } = find(typed)
      if (invocation_name === 'rival') throw new AgencyError('E_LAND_CONFLICT')
      if (invocation_name === 'notes' && !options?.apply) throw new AgencyError('E_NEEDS_APPLY')
      return { ...(await recordingAgency().landInvocation('x')), invocation: find(typed) }
    },
  })
  return { agency, places: [] }
}

test('the demo is a transcript of real commands, and leaves nothing behind', async () => {
  const { agency, places } = stage()
  const ran = await runCli(['demo'], {
    env: process.env,
    open: async (cwd, env) => {
      places.push(cwd, String(env['AGENCY_DATA_DIR']))
      return agency
    },
  })
  expect(ran.err).toBe('')
  expect(ran.status).toBe(0)
  const typed = ran.out.split('\n').filter((line) => line.startsWith('$ '))
  expect(typed.map((line) => line.split(' ').slice(2, 4).join(' '))).toEqual([
    'worktree create',
    'agent start',
    'agent start',
    'agent start',
    'agent ls',
    'agent wait',
    'agent diff',
    'agent land',
    'agent land',
    'agent diff',
    'agent land',
    'agent land',
    'agent discard',
    'undo',
    'agent ls',
    'log',
  ])
  expect(ran.out).toContain('error_code: E_LAND_CONFLICT')
  for (const place of places) expect(existsSync(place)).toBe(false)
  expect(new Set(places).size).toBe(2)
})

test('--keep leaves a repository with its history, and says where', async () => {
  const { agency } = stage()
  const ran = await runCli(['demo', '--keep', '--json'], { agency, env: process.env })
  const { kept, transcript } = parseEnvelope(ran).data as { kept: { repository: string }; transcript: string }
  onTestFinished(() => rmSync(dirname(kept.repository), { recursive: true }))
  expect(transcript).toContain('$ agency agent land')
  expect(git(kept.repository, 'log', '--format=%s').split('\n')).toEqual([
    'Prepare for agents',
    'Greet by name',
    'Say what it is',
    'Start a greeter',
  ])
  expect(git(kept.repository, 'status', '--porcelain')).toBe('')
})

test('a demo that goes otherwise than planned says so, and leaves nothing behind either', async () => {
  const { agency, places } = stage()
  const failing = { ...agency, waitInvocation: async () => invocationView({ status: 'failed' }) }
  const ran = await runCli(['demo'], {
    env: process.env,
    open: async (cwd) => {
      places.push(cwd)
      return failing
    },
  })
  expect(ran.status).toBe(70)
  expect(ran.err).toContain('the demo expected exit status 0 of the last line, not 1')
  expect(places).not.toEqual([])
  for (const place of places) expect(existsSync(place)).toBe(false)
})

test('a demo without git says what is missing, and leaves nothing behind', async () => {
  const ran = await runCli(['demo', '--transcript'], { env: { PATH: '/nowhere' } })
  expect(ran.err).toBe('error_code: E_GIT_MISSING\ngit is not installed\nhint: install git 2.39 or later\n')
})
