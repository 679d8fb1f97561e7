import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../src/core/model/environment.ts'
import { showPath } from '../../../src/core/model/sandbox-path.ts'
import { createWorktree } from '../../../src/core/operations/integration/create-worktree.ts'
import {
  findInvocation,
  listInvocations,
} from '../../../src/core/operations/invocations/known-invocations.ts'
import { startInvocation } from '../../../src/core/operations/invocations/start-invocation.ts'
import { appendEvent, readEvents } from '../../../src/core/store/events.ts'
import { readInvocation, updateInvocation } from '../../../src/core/store/invocations.ts'
import { listWorktrees, readWorktree } from '../../../src/core/store/worktrees.ts'
import { makeWorld } from '../../support/scene/world.ts'

async function makeInvocation() {
  const world = await makeWorld()
  const worktree = await createWorktree(world.repository, { name: 'one', cwd: world.root })
  const record = await startInvocation(world.repository, {
    worktree: 'one',
    runner: 'shell',
    mode: 'headless',
    prompt: 'true',
    prompt_source: 'text',
    environment: LOCAL_ENVIRONMENT,
    columns: 80,
    rows: 24,
  })
  const { paths } = world.repository
  return { ...world, paths, worktree, record, meta: paths.invocation(record.invocation_id).meta }
}

describe('records', () => {
  it('keep fields that they do not know through a read-modify-write', async () => {
    const { paths, record, meta } = await makeInvocation()
    writeFileSync(meta, JSON.stringify({ ...record, from_the_future: { kept: true } }))
    await updateInvocation(paths, record.invocation_id, { exit_code: 3 })
    expect(JSON.parse(readFileSync(meta, 'utf8'))).toMatchObject({
      from_the_future: { kept: true },
      exit_code: 3,
    })
  })

  it('are readable by their owner alone', async () => {
    const { paths, meta } = await makeInvocation()
    expect(statSync(meta).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(meta)).mode & 0o777).toBe(0o700)
    expect(statSync(paths.dir).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['empty', '', 'it is empty'],
    ['torn', '{"schema_version":"1.0","invocation_id":"2026', 'JSON'],
    ['of another shape', '{"schema_version":"1.0"}', 'invocation_id'],
    ['no object', '[]', 'expected object'],
  ])('that are %s make the invocation broken, never repaired', async (_what, text, reason) => {
    const { paths, record, meta } = await makeInvocation()
    writeFileSync(meta, text)
    const { invocations, broken } = listInvocations(paths)
    expect(invocations).toEqual([])
    expect(broken).toMatchObject([
      { invocation_id: record.invocation_id, reason: expect.stringContaining(reason) },
    ])
    expect(() => readInvocation(paths, record.invocation_id)).toThrow(
      expect.objectContaining({ code: 'E_RECORD_UNREADABLE' }),
    )
    expect(readFileSync(meta, 'utf8')).toBe(text)
  })

  it('of a newer version say that agency must be updated', async () => {
    const { paths, record, meta, worktree } = await makeInvocation()
    writeFileSync(meta, JSON.stringify({ ...record, schema_version: '2.0' }))
    expect(() => readInvocation(paths, record.invocation_id)).toThrow(
      expect.objectContaining({ code: 'E_RECORD_TOO_NEW' }),
    )
    writeFileSync(
      paths.worktree(worktree.worktree_id).meta,
      JSON.stringify({ ...worktree, schema_version: '2.0' }),
    )
    expect(() => readWorktree(paths, worktree.worktree_id)).toThrow(
      expect.objectContaining({ code: 'E_RECORD_TOO_NEW' }),
    )
    expect(listWorktrees(paths)).toEqual([])
  })

  it('whose sandbox is missing, and sandboxes without a record, are broken and found by exact id only', async () => {
    const { paths, record } = await makeInvocation()
    const stray = '20200101000000-beef'
    mkdirSync(showPath(paths.invocation(stray).tree), { recursive: true })
    rmSync(showPath(record.sandbox_path), { recursive: true })
    expect(listInvocations(paths).broken.map((one) => one.invocation_id)).toEqual([
      stray,
      record.invocation_id,
    ])
    expect(() => findInvocation(paths, stray)).toThrow(
      expect.objectContaining({ code: 'E_INVOCATION_BROKEN' }),
    )
    expect(() => findInvocation(paths, 'beef')).toThrow(
      expect.objectContaining({ code: 'E_INVOCATION_NOT_FOUND' }),
    )
  })
})

describe('listing the open ones only', () => {
  it('leaves out what is closed, and nothing that merely speaks of it', async () => {
    const { paths, record, meta } = await makeInvocation()
    const open = () => listInvocations(paths, { open_only: true }).invocations.map((one) => one.invocation_id)
    const talk = '\n  "landing_status": "landed"'
    await updateInvocation(paths, record.invocation_id, { prompt: talk, failure: talk })
    expect(open()).toEqual([record.invocation_id])
    await updateInvocation(paths, record.invocation_id, { landing_status: 'landed' })
    expect(open()).toEqual([])
    writeFileSync(meta, JSON.stringify(readInvocation(paths, record.invocation_id)))
    expect(open()).toEqual([record.invocation_id])
  })
})

describe('event lines', () => {
  it('skip a torn last line, and the next line does not join it', async () => {
    const { paths, record } = await makeInvocation()
    const id = record.invocation_id
    appendEvent(paths, id, { kind: 'created', message: 'one' })
    appendFileSync(paths.invocation(id).events, '{"at":"2026-01-01T00:00:00Z","kind":"star')
    appendEvent(paths, id, { kind: 'started', message: 'two' })
    expect(readEvents(paths, id).map((event) => event.message)).toEqual(['one', 'two'])
  })

  it('of a kind that is not known are skipped', async () => {
    const { paths, record } = await makeInvocation()
    appendFileSync(
      join(paths.invocation(record.invocation_id).events),
      '{"at":"x","kind":"later","message":"m"}\n',
    )
    expect(readEvents(paths, record.invocation_id)).toEqual([])
  })
})
