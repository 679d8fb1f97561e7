import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { LogPaths } from '../../src/core/facade/agency.ts'
import type { Diagnosis } from '../../src/core/facade/diagnosing.ts'
import type { WorktreeRecord } from '../../src/core/model/worktree.ts'
import { git } from '../support/git/repository.ts'
import { AS_SWEPT, SWEEP_SEED, sweptRounds } from '../support/kills/sweep-steps.ts'
import { type Desk, type InvocationData, makeDesk, shellAgent } from '../support/processes/cli.ts'
import { processesWith } from '../support/processes/processes.ts'
import { seededRandom } from '../support/run/seeded.ts'

const KILLS = sweptRounds(20)
/** Milliseconds. Twenty rounds of whole processes take long on a busy machine. */
const LONG = { timeout: 300_000 }

const startArgs = (script: string): string[] => shellAgent('feature', script)

async function makeFeature(): Promise<{ desk: Desk; worktree: WorktreeRecord }> {
  const desk = makeDesk({ 'a.txt': 'one\n' })
  return { desk, worktree: await desk.worktree('feature') }
}

/** Runs the command, and kills it after so many milliseconds if it has not ended by then. */
async function killWithin(desk: Desk, args: readonly string[], milliseconds: number): Promise<void> {
  const child = desk.spawn(args)
  const ended = once(child, 'exit')
  await Promise.race([delay(milliseconds), ended])
  child.kill('SIGKILL')
  await ended
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function allEnded(desk: Desk): Promise<readonly InvocationData[]> {
  const { invocations } = await desk.list()
  const ids = invocations.map((record) => record.invocation_id)
  if (ids.length > 0) await desk.run(['agent', 'wait', ...ids])
  return (await desk.list()).invocations
}

describe('SIGKILL at a random moment', () => {
  it(
    `of the starter leaves readable records and no orphan; doctor mends the rest (${AS_SWEPT})`,
    LONG,
    async () => {
      const { desk } = await makeFeature()
      const random = seededRandom(SWEEP_SEED)
      const whole = await timeOf(() => desk.run(startArgs('echo hi')))
      for (let round = 0; round < KILLS; round++) {
        await killWithin(desk, startArgs('echo hi'), whole * 1.1 * random())
      }
      for (const record of await allEnded(desk)) {
        expect(['finished', 'failed']).toContain(record.status)
        expect(processesWith('AGENCY_INVOCATION_ID', record.invocation_id)).toEqual([])
      }

      await desk.data('doctor', '--fix')
      const { findings } = await desk.data<Diagnosis>('doctor')
      expect(findings.filter((finding) => finding.level === 'problem')).toEqual([])
      const known = (await desk.list()).invocations.map((record) => record.invocation_id)
      const branches = git(desk.root, 'branch', '--list', '--format=%(refname:short)', 'agency/sandbox-*')
      for (const branch of branches.split('\n').filter(Boolean)) {
        expect(known).toContain(branch.replace('agency/sandbox-', ''))
      }
      expect((await desk.run(startArgs('echo again'))).exitCode).toBe(0)
    },
  )

  it(`of the host loses no output and is found out on the next read (${AS_SWEPT})`, LONG, async () => {
    const { desk } = await makeFeature()
    const random = seededRandom(SWEEP_SEED)
    const prompt = 'setsid sleep 1000 & i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.005; done'
    for (let round = 0; round < KILLS; round++) {
      const { invocation_id, host } = await desk.start('feature', prompt)
      const { paths } = await desk.data<{ paths: LogPaths }>('agent', 'logs', invocation_id)
      const { raw } = paths
      await delay(100 * random())
      const before = existsSync(raw) ? readFileSync(raw) : Buffer.alloc(0)
      process.kill(host?.pid ?? Number.NaN, 'SIGKILL')
      expect(await desk.show(invocation_id)).toMatchObject({
        status: 'failed',
        exit_reason: 'unknown',
        landing_status: 'pending',
      })
      expect(processesWith('AGENCY_INVOCATION_ID', invocation_id)).toEqual([])
      const after = existsSync(raw) ? readFileSync(raw) : Buffer.alloc(0)
      expect(after.subarray(0, before.length).equals(before)).toBe(true)
    }
  })

  it(
    `of a landing leaves the branch before or after it, and landing again ends it (${AS_SWEPT})`,
    LONG,
    async () => {
      const { desk, worktree } = await makeFeature()
      const random = seededRandom(SWEEP_SEED)
      const records = await Promise.all(
        Array.from({ length: KILLS + 1 }, (_, i) =>
          desk.start(
            'feature',
            `echo ${i} > file-${i}.txt; git add -A; git commit -qm 'Work ${i}'; echo dirt > dirt-${i}.txt`,
          ),
        ),
      )
      await allEnded(desk)
      const tip = (): string => git(worktree.tree_path, 'rev-parse', 'HEAD')
      const [first, ...rest] = records.map((record) => ['agent', 'land', record.invocation_id, '--apply'])
      const whole = await timeOf(() => desk.run(first ?? []))
      for (const args of rest) {
        const before = tip()
        await killWithin(desk, args, whole * 1.1 * random())
        const between = tip()
        if (between !== before) expect(git(worktree.tree_path, 'rev-parse', `${between}~2`)).toBe(before)
        const again = JSON.parse((await desk.run([...args, '--json'])).stdout)
        if (again.ok !== true) expect(again.error.code).toBe('E_INVOCATION_CLOSED')
        expect(git(worktree.tree_path, 'rev-parse', `${tip()}~2`)).toBe(before)
        expect(git(worktree.tree_path, 'status', '--porcelain')).toBe('')
      }
      const { invocations } = await desk.list()
      expect(invocations.every((record) => record.landing_status === 'landed')).toBe(true)
      expect(git(worktree.tree_path, 'rev-list', '--count', 'main..HEAD')).toBe(String((KILLS + 1) * 2))
      expect(git(desk.root, 'fsck', '--full', '--no-dangling')).toBe('')
    },
  )
})
