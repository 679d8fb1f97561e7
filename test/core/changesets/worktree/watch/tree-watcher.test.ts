import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type OpenRaw, watchTree } from '../../../../../src/core/changesets/worktree/watch/tree-watcher.ts'
import { openChokidar } from '../../../../../src/core/changesets/worktree/watch/watch-by-chokidar.ts'
import { openParcel } from '../../../../../src/core/changesets/worktree/watch/watch-by-parcel.ts'
import { makeScratch, writeFiles } from '../../../../support/git/repository.ts'
import { waitUntil } from '../../../../support/run/wait.ts'

const native: OpenRaw = async (watch) => {
  const opened = await openParcel(watch)
  if (opened === null) throw new Error('the native watcher does not load here')
  return opened
}

async function watch(open: OpenRaw, ignored: readonly string[] = []) {
  const tree = makeScratch()
  writeFiles(tree, { a: 'a', 'd/b': 'b', '.git/index': 'i', 'node_modules/x/y': 'y' })
  const told = new Set<string>()
  const failed: unknown[] = []
  let unknown = 0
  const watcher = await watchTree(
    {
      tree,
      listIgnored: async () => ignored,
      onPaths: (paths) => void paths.forEach((path) => void told.add(path)),
      onUnknown: () => {
        unknown += 1
      },
      onFailed: (error) => failed.push(error),
    },
    open,
  )
  onTestFinished(() => watcher.close())
  if (open === native || open === openChokidar) await untilLive(tree, told)
  return { tree, told, failed, watcher, unknown: () => unknown }
}

/**
 * Waits until a change is told. Changes in the first milliseconds of a process's first watch may be missed, which is
 * why a host looks at the whole tree once it watches.
 */
async function untilLive(tree: string, told: Set<string>): Promise<void> {
  let probes = 0
  await waitUntil(() => {
    writeFileSync(join(tree, 'probe'), `${probes++}`)
    return told.has('probe')
  })
  // The probe may be told again later, which must not count.
  told.delete('probe')
  const add = told.add.bind(told)
  told.add = (path) => (path === 'probe' ? told : add(path))
}

test.each([
  ['native', native],
  ['chokidar', openChokidar],
])('%s: files that change are told, git, ours and the ignored are not', async (_name, open) => {
  const { tree, told } = await watch(open, ['node_modules'])
  mkdirSync(join(tree, '.agency'))
  for (const path of ['.git/index', 'node_modules/x/y', 'node_modules/x/z', '.agency/x', 'a', 'd/b', 'd/c']) {
    writeFileSync(join(tree, path), 'changed')
  }
  await waitUntil(() => ['a', 'd/b', 'd/c'].every((path) => told.has(path)))
  writeFileSync(join(tree, 'last'), '')
  await waitUntil(() => told.has('last'))
  expect([...told].sort()).toEqual(['a', 'd/b', 'd/c', 'last'])
})

test('a new directory with others in it is watched in a while, and until then nothing is said to be known', async () => {
  const { tree, told, watcher, unknown } = await watch(native)
  expect(watcher.isWhole()).toBe(true)
  writeFiles(tree, { 'new/inner/file': 'x' })
  await waitUntil(() => told.has('new'))
  expect(watcher.isWhole()).toBe(false)
  await waitUntil(() => unknown() > 0, { what: 'the watch was made anew' })
  expect(watcher.isWhole()).toBe(true)
  writeFileSync(join(tree, 'new/inner/later'), 'x')
  await waitUntil(() => told.has('new/inner/later'))
})

test('too much at once is not gone through', async () => {
  let tell = (_paths: readonly string[] | null): void => {}
  const { tree, told, unknown } = await watch(async ({ onPaths }) => {
    tell = onPaths
    return { close: async () => {} }
  })
  let touched = 0
  const burst = new Proxy(
    Array.from({ length: 100_000 }, (_, n) => `${tree}/node_modules/${n}`),
    {
      get: (paths, key, receiver) => {
        if (key !== 'length') touched += 1
        return Reflect.get(paths, key, receiver)
      },
    },
  )
  tell(burst)
  expect(touched).toBe(0)
  expect(told.size).toBe(0)
  expect(unknown()).toBe(1)
})

test('where nothing can be watched, that is an error', async () => {
  const refused: OpenRaw = async () => {
    throw new Error('ENOSPC: inotify watches')
  }
  await expect(watch(refused)).rejects.toThrow('ENOSPC')
})

test('a watcher that ends says so, once', async () => {
  let fail = (_error: unknown): void => {}
  const { failed } = await watch(async ({ onFailed }) => {
    fail = onFailed
    return { close: async () => {} }
  })
  fail(new Error('gone'))
  fail(new Error('gone'))
  await waitUntil(() => failed.length > 0)
  expect(failed).toHaveLength(1)
})
