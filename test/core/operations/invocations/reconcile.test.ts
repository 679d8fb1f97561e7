import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { endInvocation } from '../../../../src/core/operations/invocations/end-invocation.ts'
import { reconcile, reconcileAll } from '../../../../src/core/operations/invocations/reconcile.ts'
import { startInvocation } from '../../../../src/core/operations/invocations/start-invocation.ts'
import { readEvents } from '../../../../src/core/store/events.ts'
import { readInvocation, updateInvocation } from '../../../../src/core/store/invocations.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

const VANISHED = { pid: 2 ** 22 - 1, start_time: '1', socket_path: '/nowhere' }

async function makeRunning(
  change: Partial<InvocationRecord> = {},
): Promise<{ world: World; record: InvocationRecord }> {
  const world = await makeWorld()
  await createWorktree(world.repository, { name: 'one', cwd: world.root })
  const started = await startInvocation(world.repository, {
    worktree: 'one',
    runner: 'shell',
    mode: 'headless',
    prompt: 'true',
    prompt_source: 'text',
    environment: LOCAL_ENVIRONMENT,
    columns: 80,
    rows: 24,
  })
  const record = await updateInvocation(world.repository.paths, started.invocation_id, change)
  return { world, record }
}

describe('reconciling', () => {
  it('leaves alone what a live host or a live starter attends to', async () => {
    const { world, record } = await makeRunning()
    expect(await reconcile(world.repository, record)).toEqual(record)
    const host = { ...world.effects.processes.self, socket_path: '/nowhere' }
    const hosted = await updateInvocation(world.repository.paths, record.invocation_id, {
      status: 'running',
      host,
    })
    expect(await reconcile(world.repository, hosted)).toEqual(hosted)
  })

  it('records a host that vanished as failed, cause unknown, with the time of the last output', async () => {
    const { world, record } = await makeRunning({ status: 'running', host: VANISHED })
    const at = world.repository.paths.invocation(record.invocation_id)
    mkdirSync(at.logsDir, { recursive: true })
    writeFileSync(at.raw, 'half a line')
    utimesSync(at.raw, 1000, 1000)
    const seen = await reconcile(world.repository, record)
    expect(seen).toMatchObject({
      status: 'failed',
      exit_reason: 'unknown',
      last_output_at: '1970-01-01T00:16:40.000Z',
      landing_status: 'pending',
    })
    expect(readInvocation(world.repository.paths, record.invocation_id)).toEqual(seen)
    expect(await reconcile(world.repository, seen)).toEqual(seen)
    const events = readEvents(world.repository.paths, record.invocation_id)
    expect(events.filter((event) => event.kind === 'host_vanished')).toHaveLength(1)
  })

  it('records a starter that was killed in the middle', async () => {
    const { world, record } = await makeRunning({ starter: VANISHED })
    expect(await reconcile(world.repository, record)).toMatchObject({
      status: 'failed',
      exit_reason: 'unknown',
    })
  })

  it('writes it once when many look at the same time', async () => {
    const { world, record } = await makeRunning({ status: 'running', host: VANISHED })
    await Promise.all(Array.from({ length: 8 }, () => reconcileAll(world.repository)))
    const events = readEvents(world.repository.paths, record.invocation_id)
    expect(events.filter((event) => event.kind === 'host_vanished')).toHaveLength(1)
  })

  it('kills what the vanished host left running, also what left its group', async () => {
    const { world, record } = await makeRunning()
    const left = spawn('sleep', ['1000'], {
      env: { ...process.env, AGENCY_INVOCATION_ID: record.invocation_id },
      stdio: 'ignore',
      detached: true,
    })
    await once(left, 'spawn')
    const gone = once(left, 'exit')
    const running = await updateInvocation(world.repository.paths, record.invocation_id, {
      status: 'running',
      host: VANISHED,
    })
    await reconcile(world.repository, running)
    expect(await gone).toEqual([null, 'SIGKILL'])
  })
})

describe('ending an invocation', () => {
  it('refuses one that has ended', async () => {
    const { world, record } = await makeRunning({ status: 'finished' })
    await expect(endInvocation(world.repository, record, 'stop')).rejects.toMatchObject({
      code: 'E_INVOCATION_NOT_RUNNING',
    })
  })

  it('sets the record right where the host is gone', async () => {
    const { world, record } = await makeRunning({ status: 'running', host: VANISHED })
    await expect(endInvocation(world.repository, record, 'kill')).rejects.toMatchObject({
      code: 'E_INVOCATION_NOT_RUNNING',
    })
    expect(readInvocation(world.repository.paths, record.invocation_id).status).toBe('failed')
  })
})
