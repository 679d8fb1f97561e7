import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../../../src/core/doors/system/lock.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { makeScratch } from '../../../support/git/repository.ts'

const doors = { clock: systemClock, processes: systemProcesses() }
const makeLock = () => join(makeScratch(), '.lock')

const endedPid = (): number => spawnSync('true').pid

describe('the lock', () => {
  it('lets one in at a time, and all in the end', async () => {
    const path = makeLock()
    let inside = 0
    let most = 0
    const turns = Array.from({ length: 20 }, () =>
      withLock(path, doors, async () => {
        most = Math.max(most, ++inside)
        await new Promise(setImmediate)
        inside--
      }),
    )
    await Promise.all(turns)
    expect(most).toBe(1)
    expect(existsSync(path)).toBe(false)
  })

  it('is given back when the work throws', async () => {
    const path = makeLock()
    await expect(
      withLock(path, doors, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(existsSync(path)).toBe(false)
  })

  it('is given back later where the system hinders that, and the work is done all the same', async () => {
    const path = makeLock()
    const dir = dirname(path)
    const root = process.getuid?.() === 0
    const hindered = async (): Promise<string> => {
      chmodSync(dir, 0o000)
      if (root) process.seteuid?.('nobody')
      return 'done'
    }
    try {
      expect(await withLock(path, doors, hindered)).toBe('done')
    } finally {
      if (root) process.seteuid?.(0)
      chmodSync(dir, 0o700)
    }
    expect(existsSync(path)).toBe(true)
    expect(await withLock(path, doors, async () => 'in')).toBe('in')
  })

  it.each([
    ['was killed', () => ({ pid: endedPid(), start_time: '1', token: 'dead' })],
    [
      'had a pid that another process has now',
      () => ({ pid: process.pid, start_time: '1', token: 'reused' }),
    ],
  ])('is taken over from a holder that %s, by one of many', async (_what, holder) => {
    const path = makeLock()
    writeFileSync(path, JSON.stringify(holder()))
    let inside = 0
    let most = 0
    const turns = Array.from({ length: 10 }, () =>
      withLock(path, doors, async () => {
        most = Math.max(most, ++inside)
        await new Promise(setImmediate)
        inside--
      }),
    )
    await Promise.all(turns)
    expect(most).toBe(1)
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  it('is taken over when its file says nothing', async () => {
    const path = makeLock()
    writeFileSync(path, '')
    expect(await withLock(path, doors, async () => 'in')).toBe('in')
  })

  it('names the live holder when patience has ended', async () => {
    const path = makeLock()
    let elapsed = 0
    const hasty = {
      ...doors,
      clock: {
        now: () => new Date(0),
        elapsed: () => elapsed,
        sleep: async () => {
          elapsed += 10_000
        },
      },
    }
    await withLock(path, doors, async () => {
      await expect(withLock(path, hasty, async () => 'in')).rejects.toMatchObject({
        code: 'E_LOCKED',
        message: expect.stringContaining(String(process.pid)),
      })
    })
  })

  it('waits in a queue for as long as its holders take turns', async () => {
    const path = makeLock()
    const { self } = doors.processes
    let turn = 0
    const hold = (): void => writeFileSync(path, JSON.stringify({ ...self, token: `turn ${turn}` }))
    hold()
    const queueing = {
      ...doors,
      clock: {
        now: () => new Date(0),
        elapsed: () => turn * 20_000,
        sleep: async () => {
          turn += 1
          if (turn < 6) hold()
          else rmSync(path)
        },
      },
    }
    expect(await withLock(path, queueing, async () => 'in')).toBe('in')
  })
})
