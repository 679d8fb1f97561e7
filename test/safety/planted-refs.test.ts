// Agents share the repository's refs and objects with the person. What they plant there must not lead our own writing
// to a branch that is not ours, and must not show one thing and land another.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../../src/core/operations/diagnosis/collect-garbage.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { diffInvocation } from '../../src/core/operations/sandboxes/diff-invocation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { git } from '../support/git/repository.ts'
import { refusal } from '../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

/** Writes a symbolic ref as an agent would: as a file. */
function plantRef({ root }: Scene, ref: string, target: string): void {
  const path = join(root, '.git', ref)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `ref: ${target}\n`)
}

async function makeSceneWithRelease(): Promise<{ scene: Scene; release: () => string; before: string }> {
  const scene = await makeScene()
  git(scene.root, 'branch', 'release')
  const release = (): string => git(scene.root, 'rev-parse', 'refs/heads/release')
  return { scene, release, before: release() }
}

describe('a symbolic ref that an agent planted', () => {
  it('where its sandbox is kept does not lead the keeping onto a branch', async () => {
    const { scene, release, before } = await makeSceneWithRelease()
    plantRef(scene, `refs/agency/trash/${scene.record.invocation_id}`, 'refs/heads/release')
    shell(scene.tree, 'echo work > work')
    await discardInvocation(scene.repository, scene.record, never)
    expect(release()).toBe(before)
    await undoLast(scene.repository)
    expect(readFileSync(join(scene.tree, 'work'), 'utf8')).toBe('work\n')
  })

  it("where the sandbox's branch was does not have another branch deleted", async () => {
    const { scene, release, before } = await makeSceneWithRelease()
    plantRef(scene, `refs/heads/${scene.record.sandbox_branch}`, 'refs/heads/release')
    await discardInvocation(scene.repository, scene.record, never)
    expect(release()).toBe(before)
    await undoLast(scene.repository)
    expect(release()).toBe(before)
  })

  it("where the worktree's branch was does not have another branch landed on", async () => {
    const { scene, release, before } = await makeSceneWithRelease()
    shell(scene.tree, 'echo work > work; git add work; git commit -qm work')
    plantRef(scene, `refs/heads/${scene.worktree.branch}`, 'refs/heads/release')
    const { code } = await refusal(landInvocation(scene.repository, scene.record, {}))
    expect(code).toBe('E_INTEGRATION_BUSY')
    expect(release()).toBe(before)
  })

  it('among the kept states does not have a branch collected as garbage', async () => {
    const { scene, release, before } = await makeSceneWithRelease()
    plantRef(scene, 'refs/agency/trash/20200101000000-0000', 'refs/heads/release')
    await collectGarbage(scene.repository, { keep_days: -100_000, dry_run: false })
    expect(release()).toBe(before)
  })
})

describe('our own calls of update-ref', () => {
  it('never follow a symbolic ref', () => {
    const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' })
    const sources = files
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join('src/core', path), 'utf8'))
    const calls = sources.flatMap((text) => [...text.matchAll(/'update-ref',\s*('[^']*')?/g)])
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.filter(([, next]) => next !== "'--no-deref'")).toEqual([])
  })
})

describe('a commit-graph that an agent forged', () => {
  it('does not hide a commit from the person who looks at the work', async () => {
    const scene = await makeScene()
    shell(
      scene.tree,
      'echo one > a; git add a; git commit -qm hidden; echo two > b; git add b; git commit -qm shown',
    )
    forgeParent(scene, git(scene.tree, 'rev-parse', 'HEAD'), scene.record.base_commit)
    expect(git(scene.tree, 'log', '--format=%s')).toBe('shown\nStart')
    const { commits } = await diffInvocation(scene.repository, scene.record, { patch: false })
    expect(commits.map(({ subject }) => subject)).toEqual(['shown', 'hidden'])
    expect((await landInvocation(scene.repository, scene.record, {})).landed).toHaveLength(2)
  })
})

/** An entry of the graph is its tree's name, then the number of its parent. git never checks the file's checksum. */
function forgeParent({ root }: Scene, commit: string, parent: string): void {
  git(root, 'commit-graph', 'write', '--reachable')
  const path = join(root, '.git/objects/info/commit-graph')
  const bytes = readFileSync(path)
  const tree = git(root, 'rev-parse', `${commit}^{tree}`)
  const number = git(root, 'rev-list', '--all').split('\n').sort().indexOf(parent)
  bytes.writeUInt32BE(number, bytes.indexOf(Buffer.from(tree, 'hex')) + 20)
  rmSync(path, { force: true })
  writeFileSync(path, bytes)
}
