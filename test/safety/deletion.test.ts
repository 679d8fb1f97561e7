// Whatever agency deletes is proved to be its own at that moment, and holds nothing that would be lost with it.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import { collectGarbage } from '../../src/core/operations/diagnosis/collect-garbage.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { updateInvocation } from '../../src/core/store/invocations.ts'
import type { Repository } from '../../src/core/store/repository.ts'
import { listTrashedTrees } from '../../src/core/store/trash.ts'
import { git, makeScratch, writeFiles } from '../support/git/repository.ts'
import { waitUntil } from '../support/run/wait.ts'
import { refusal } from '../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

const LONG_AGO = new Date('2020-01-01')

/** The scene's repository with real deletion, and an agent that acts just before each step. */
function watched({ repository }: Scene, acts: (step: string) => void): Repository {
  const { effects } = repository
  const processes = { ...effects.processes, deleteLater: systemProcesses().deleteLater }
  return { ...repository, effects: { ...effects, processes, onStep: acts } }
}

const inTrash = ({ repository }: Scene): string[] =>
  listTrashedTrees(repository.paths).map(({ path }) => path)

describe('a part of the repository that an agent moved into its sandbox', () => {
  it.each([
    [
      'its objects',
      (dir: string) => `mv '${dir}/objects' .agency/objects; ln -s "$PWD/.agency/objects" '${dir}/objects'`,
    ],
    ['its refs', (dir: string) => `mv '${dir}/refs' .agency/refs; ln -s "$PWD/.agency/refs" '${dir}/refs'`],
    [
      'its reflogs',
      (dir: string) => `mv '${dir}/logs' .agency/logs; ln -s "$PWD/.agency/logs" '${dir}/logs'`,
    ],
    [
      'a pack',
      (dir: string) =>
        `git gc -q; mv '${dir}/objects/pack' .agency/pack; mkdir '${dir}/objects/pack'; for f in .agency/pack/*; do ln -s "$PWD/$f" '${dir}/objects/pack/'; done`,
    ],
    [
      'new objects',
      (dir: string) =>
        `mkdir -p .agency/new/pack; echo "$PWD/.agency/new" > '${dir}/objects/info/alternates'; export GIT_OBJECT_DIRECTORY="$PWD/.agency/new" GIT_ALTERNATE_OBJECT_DIRECTORIES='${dir}/objects'; echo more > more; git add more; git commit -qm more`,
    ],
  ])('is not deleted with it: %s', async (_, move) => {
    const scene = await makeScene()
    shell(scene.tree, 'echo work > work; git add work; git commit -qm work')
    shell(scene.tree, move(join(scene.root, '.git')))
    const before = git(scene.worktree.tree_path, 'rev-parse', 'HEAD')
    const { code, message } = await refusal(landInvocation(scene.repository, scene.record, {}))
    expect({ code, message }).toMatchObject({
      code: 'E_PATH_NOT_OURS',
      message: expect.stringContaining('lies in it'),
    })
    expect((await refusal(discardInvocation(scene.repository, scene.record, never))).code).toBe(
      'E_PATH_NOT_OURS',
    )
    expect(git(scene.worktree.tree_path, 'rev-parse', 'HEAD')).toBe(before)
    git(scene.root, 'fsck', '--connectivity-only')
  })
})

describe('a directory that is exchanged between its proof and its removal', () => {
  it("stays where it is when it is another's, behind a link in its sandbox's place", async () => {
    const scene = await makeScene()
    const victim = join(makeScratch(), 'project')
    writeFiles(victim, { 'tree/precious': 'x' })
    const sandboxDir = dirname(scene.tree)
    const repository = watched(scene, (step) => {
      if (step !== 'move the tree to the trash') return
      renameSync(sandboxDir, `${sandboxDir}-aside`)
      symlinkSync(victim, sandboxDir)
    })
    const { code } = await refusal(discardInvocation(repository, scene.record, never))
    expect(code).toBe('E_PATH_NOT_OURS')
    expect(readFileSync(join(victim, 'tree/precious'), 'utf8')).toBe('x')
  })
})

describe('collecting garbage', () => {
  it("does not follow a link in a sandbox's place to files of the person's that are called like ours", async () => {
    const scene = await makeScene()
    const victim = join(makeScratch(), 'project')
    const mine = { 'log.json.1': 'x', 'capture-4000000-theflg/notes': 'x' }
    writeFiles(victim, mine)
    for (const name of ['log.json.1', 'capture-4000000-theflg'])
      utimesSync(join(victim, name), LONG_AGO, LONG_AGO)
    renameSync(dirname(scene.tree), `${dirname(scene.tree)}-aside`)
    symlinkSync(victim, dirname(scene.tree))
    await collectGarbage(scene.repository, { keep_days: 0, dry_run: false })
    for (const name of Object.keys(mine)) expect(existsSync(join(victim, name))).toBe(true)
  })

  it.each([
    ['its files', 'rm -r .agency; echo work > work'],
    ['its index', 'echo work > work; git add work; rm -r work a .agency'],
    ['a repository of its own', 'rm -r a .git .agency; git init -q; git commit -q --allow-empty -m x'],
    ['files that it calls ours', 'rm a; echo work > .agency/work'],
  ])('does not take a sandbox whose record an agent deleted for one half made: %s', async (_what, script) => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, script)
    rmSync(scene.repository.paths.invocation(scene.record.invocation_id).meta)
    await collectGarbage(scene.repository, { keep_days: 0, dry_run: false })
    expect(existsSync(scene.tree)).toBe(true)
    expect(git(scene.root, 'branch', '--list', scene.record.sandbox_branch)).not.toBe('')
  })

  it('loses nothing where an agent wrote that its sandbox is closed and half restored', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { work: 'hours of it' })
    writeFileSync(join(dirname(scene.tree), 'restoring'), '')
    await updateInvocation(scene.repository.paths, scene.record.invocation_id, {
      landing_status: 'discarded',
    })
    await collectGarbage(scene.repository, { keep_days: 14, dry_run: false })
    const [kept = ''] = inTrash(scene)
    expect(readFileSync(join(kept, 'work'), 'utf8')).toBe('hours of it')
  })
})

describe('what is written into a sandbox while it is being closed', () => {
  it('waits in the trash instead of being deleted', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { 'deep/old': 'x' })
    const repository = watched(scene, (step) => {
      if (step === 'keep the sandbox') writeFiles(scene.tree, { 'deep/late': 'written too late' })
    })
    await discardInvocation(repository, scene.record, never)
    await waitUntil(() => inTrash(scene).some((path) => path.endsWith('.kept')))
    const [kept = ''] = inTrash(scene)
    expect(readFileSync(join(kept, 'deep/late'), 'utf8')).toBe('written too late')
    await undoLast(repository)
    expect(existsSync(join(scene.tree, 'deep/old'))).toBe(true)
  })

  it('keeps nothing where nothing was written', async () => {
    const scene = await makeScene()
    shell(scene.tree, 'echo work > work; find . -exec touch -hd 2020-01-01 {} +')
    const created = Date.now()
    await waitUntil(() => Date.now() > created + 100)
    await discardInvocation(
      watched(scene, () => {}),
      scene.record,
      never,
    )
    await waitUntil(() => inTrash(scene).length === 0)
  })
})

describe('a file system that is mounted in a sandbox', () => {
  it.runIf(mayMount())('keeps its files when the sandbox is deleted', async () => {
    const path = join(makeScratch(), 'tree')
    mkdirSync(join(path, 'mounted'), { recursive: true })
    writeFiles(path, { file: 'x' })
    execFileSync('mount', ['-t', 'tmpfs', 'none', join(path, 'mounted')])
    onTestFinished(() => {
      execFileSync('umount', [join(path, 'mounted')])
      rmSync(path, { recursive: true })
    })
    writeFileSync(join(path, 'mounted', 'precious'), 'x')
    systemProcesses().deleteLater(path)
    await waitUntil(() => spawnSync('pgrep', ['-f', path]).status === 1)
    expect(existsSync(join(path, 'file'))).toBe(false)
    expect(existsSync(join(path, 'mounted', 'precious'))).toBe(true)
  })
})

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
