import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { statusDirs } from '../../../src/core/changesets/status-file.ts'
import type { DirectoryWatcher } from '../../../src/core/doors/effects.ts'
import { watchDirectory } from '../../../src/core/doors/system/watch-directory.ts'
import { type InvocationId, parseInvocationId, parseWorktreeId } from '../../../src/core/model/ids.ts'
import type { Following, RecordChange, RecordWatch } from '../../../src/core/model/record-watch.ts'
import { showPath } from '../../../src/core/model/sandbox-path.ts'
import { type RepoPaths, repoPaths } from '../../../src/core/store/paths.ts'
import { watchRecordFiles } from '../../../src/core/store/record-watcher.ts'
import { makeScratch } from '../../support/git/repository.ts'
import { waitUntil } from '../../support/run/wait.ts'

const idOf = (n: number): InvocationId =>
  parseInvocationId(`20260128120000-${n.toString(16).padStart(4, '0')}`)
const ID = idOf(1)
const WORKTREE = parseWorktreeId('20260128110000-a3f2')

interface Listening {
  readonly paths: RepoPaths
  readonly watch: RecordWatch
  readonly changes: RecordChange[]
  readonly slowed: unknown[]
  /** Waits until everything that has happened was told. Resolves to what was told since it was last asked. */
  settled(): Promise<RecordChange[]>
  follow(following: Partial<Following>): void
}

async function listen(prepare = (_: RepoPaths) => {}, door = watchDirectory): Promise<Listening> {
  const paths = repoPaths(makeScratch(), '0123456789abcdef')
  mkdirSync(paths.worktreesDir, { recursive: true })
  prepare(paths)
  const changes: RecordChange[] = []
  const slowed: unknown[] = []
  const watch = watchRecordFiles(
    { paths, watchDirectory: door, statusDirs: (id) => statusDirs(paths, id) },
    { changed: (change) => changes.push(change), slowed: (error) => slowed.push(error) },
  )
  onTestFinished(() => watch.close())
  let marks = 0
  // A directory that comes to be is told once only. The system keeps the order, so what happened before it was told too.
  const settled = async (): Promise<RecordChange[]> => {
    const mark = parseWorktreeId(`20260128130000-${(++marks).toString(16).padStart(4, '0')}`)
    mkdirSync(paths.worktree(mark).dir)
    await waitUntil(() => changes.some(({ worktrees }) => worktrees.includes(mark)))
    const alone = { everything: false, operations: false, invocations: [], worktrees: [mark] }
    return changes.splice(0).filter((change) => !isDeepStrictEqual(change, alone))
  }
  const follow = (following: Partial<Following>): void =>
    watch.follow({ worktrees: [], open: [], active: [], ...following })
  return { paths, watch, changes, slowed, settled, follow }
}

function writeRecord(path: string): void {
  writeFileSync(`${path}.tmp`, '{}')
  renameSync(`${path}.tmp`, path)
}

function makeInvocations(count: number) {
  return (paths: RepoPaths): void => {
    for (let n = 1; n <= count; n++) {
      mkdirSync(paths.invocation(idOf(n)).dir, { recursive: true })
      writeRecord(paths.invocation(idOf(n)).meta)
    }
  }
}

const toldOf = (changes: readonly RecordChange[]): Set<InvocationId> =>
  new Set(changes.flatMap(({ invocations }) => invocations))

describe('a watcher of records', () => {
  test('tells of an invocation that comes to be, and of its record when that is written', async () => {
    const { paths, changes, settled } = await listen()
    mkdirSync(paths.invocationsDir)
    await waitUntil(() => changes.some(({ everything }) => everything))
    await settled()
    mkdirSync(paths.invocation(ID).dir)
    await waitUntil(() => toldOf(changes).has(ID))
    await settled()
    writeRecord(paths.invocation(ID).meta)
    await waitUntil(() => toldOf(changes).has(ID))
  })

  test('keeps its ear on a new one although those who follow have not heard of it yet', async () => {
    const { paths, changes, settled, follow } = await listen(makeInvocations(1))
    mkdirSync(paths.invocation(idOf(2)).dir)
    await waitUntil(() => toldOf(changes).has(idOf(2)))
    follow({ open: [ID] })
    await settled()
    writeRecord(paths.invocation(idOf(2)).meta)
    await waitUntil(() => toldOf(changes).has(idOf(2)))
  })

  test('tells of records that are followed and of nothing else beside them', async () => {
    const { paths, changes, settled, follow } = await listen(makeInvocations(3))
    const at = paths.invocation(ID)
    mkdirSync(at.logsDir, { recursive: true })
    mkdirSync(showPath(at.tree))
    follow({ open: [ID] })
    await settled()
    appendFileSync(at.events, '{}\n')
    appendFileSync(at.raw, 'output\n')
    writeFileSync(join(showPath(at.tree), 'file'), 'work')
    writeRecord(paths.invocation(idOf(2)).meta)
    expect(await settled()).toEqual([])
    writeRecord(at.meta)
    await waitUntil(() => toldOf(changes).has(ID))
    expect([...toldOf(changes)]).toEqual([ID])
  })

  test('tells of worktrees and of the operation log', async () => {
    const { paths, changes, follow, settled } = await listen((at) =>
      mkdirSync(at.worktree(WORKTREE).dir, { recursive: true }),
    )
    follow({ worktrees: [WORKTREE] })
    await settled()
    writeRecord(paths.worktree(WORKTREE).meta)
    appendFileSync(paths.operations, '{}\n')
    await waitUntil(() => changes.some(({ operations }) => operations))
    await waitUntil(() => changes.some(({ worktrees }) => worktrees.includes(WORKTREE)))
  })

  test('tells what an agent reports of itself, in a directory that it makes later', async () => {
    const { paths, changes, settled, follow } = await listen(makeInvocations(1))
    const marker = join(showPath(paths.invocation(ID).tree), '.agency')
    mkdirSync(marker, { recursive: true })
    follow({ open: [ID], active: [ID] })
    await settled()
    mkdirSync(join(marker, 'state'))
    await waitUntil(() => toldOf(changes).has(ID))
    await settled()
    writeRecord(join(marker, 'state', 'runner_status.json'))
    await waitUntil(() => toldOf(changes).has(ID))
    // Whoever was told follows it now, and no longer when it has ended.
    follow({ open: [ID], active: [ID] })
    follow({ open: [ID] })
    await settled()
    writeRecord(join(marker, 'state', 'runner_status.json'))
    expect(await settled()).toEqual([])
  })

  test('does not follow a link that an agent put in the place of that directory', async () => {
    const elsewhere = makeScratch()
    const { paths, settled, follow } = await listen(makeInvocations(1))
    const marker = join(showPath(paths.invocation(ID).tree), '.agency')
    mkdirSync(marker, { recursive: true })
    symlinkSync(elsewhere, join(marker, 'state'))
    follow({ active: [ID] })
    await settled()
    writeFileSync(join(elsewhere, 'runner_status.json'), '{}')
    expect(await settled()).toEqual([])
  })

  test('tells five thousand changes in a few words', async () => {
    const { paths, changes, settled, follow } = await listen(makeInvocations(500))
    const ids = Array.from({ length: 500 }, (_, n) => idOf(n + 1))
    follow({ open: ids })
    await settled()
    for (let round = 0; round < 10; round++) for (const id of ids) writeRecord(paths.invocation(id).meta)
    await waitUntil(() => toldOf(changes).size === 500)
    expect(changes.length).toBeLessThan(100)
  })

  test('needs no watch for any of those that nobody follows', async () => {
    let watches = 0
    const counting: DirectoryWatcher = (path, events) => {
      watches += 1
      return watchDirectory(path, events)
    }
    const { settled } = await listen(makeInvocations(2_000), counting)
    await settled()
    expect(watches).toBeLessThan(10)
  })

  test('says once that it cannot watch any longer, and takes everything for changed from then on', async () => {
    let fail = (_: unknown): void => {}
    const dying: DirectoryWatcher = (path, events) => {
      fail = events.failed
      return watchDirectory(path, events)
    }
    const { changes, slowed, settled, follow } = await listen(makeInvocations(2), dying)
    await settled()
    fail(new Error('no watches left'))
    fail(new Error('no watches left'))
    await waitUntil(() => changes.some(({ everything }) => everything))
    follow({ open: [ID] })
    expect(slowed.map(String)).toEqual(['Error: no watches left'])
  })

  test('starts where the system has no watch to give', async () => {
    const refusing: DirectoryWatcher = (_, events) => {
      events.failed(new Error('ENOSPC'))
      return { close: () => {} }
    }
    const { changes, slowed } = await listen(makeInvocations(1), refusing)
    await waitUntil(() => changes.some(({ everything }) => everything))
    expect(slowed).toHaveLength(1)
  })
})
