// Agents run as the same user, so they can write agency's records. What follows from an id is derived and not believed.
// So no edited record leads a verb to a path, a branch or a process that is not its own.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { sandboxPath, showPath } from '../../src/core/model/sandbox-path.ts'
import { listInvocations } from '../../src/core/operations/invocations/known-invocations.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { diffInvocation } from '../../src/core/operations/sandboxes/diff-invocation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { appendEvent, readEvents } from '../../src/core/store/events.ts'
import { readInvocation } from '../../src/core/store/invocations.ts'
import { bindRepository } from '../../src/core/store/repository.ts'
import { readWorktree } from '../../src/core/store/worktrees.ts'
import { git, makeScratch, writeFiles } from '../support/git/repository.ts'
import { makeDesk } from '../support/processes/cli.ts'
import { sample } from '../support/run/sampled.ts'
import { refusal } from '../support/scene/refusal.ts'
import { makeSandbox, makeScene, shell } from '../support/scene/sandbox.ts'

/** Edits as an agent could: any field, without a schema. */
function edit(path: string, change: Readonly<Record<string, unknown>>): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
}

describe("an invocation's edited record", () => {
  sample(it).each(['sandbox_path', 'sandbox_branch', 'invocation_id'] as const)(
    'is broken where its %s is not the one that follows from its id',
    async (field) => {
      const scene = await makeScene()
      const other = await makeSandbox(scene.repository, scene.worktree)
      const { paths } = scene.repository
      const id = scene.record.invocation_id
      edit(paths.invocation(id).meta, { [field]: other[field] })
      expect((await refusal((async () => readInvocation(paths, id))())).message).toContain(`its ${field} is`)
      const { invocations, broken } = listInvocations(paths)
      expect(invocations.map((record) => record.invocation_id)).toEqual([other.invocation_id])
      expect(broken.map((one) => one.invocation_id)).toEqual([id])
    },
  )

  it('has no git run in a directory that is no worktree of the repository', async () => {
    const scene = await makeScene()
    const git_dir = join(makeScratch(), 'elsewhere')
    mkdirSync(git_dir)
    const edited = { ...scene.record, git_dir: sandboxPath(git_dir) }
    const { code } = await refusal(diffInvocation(scene.repository, edited, { patch: false }))
    expect(code).toBe('E_PATH_NOT_OURS')
  })

  it('does not land commits from before a base that was moved forward', async () => {
    const scene = await makeScene()
    shell(scene.tree, 'echo evil > evil; git add evil; git commit -qm hidden')
    const base_commit = git(scene.tree, 'rev-parse', 'HEAD') as InvocationRecord['base_commit']
    shell(
      scene.tree,
      'git switch -qc side; echo a > a; git add a; git commit -qm a; git switch -q -; echo b > b; git add b; git commit -qm b; git merge -q --no-ff -m both side',
    )
    edit(scene.repository.paths.invocation(scene.record.invocation_id).meta, { base_commit })
    const record = readInvocation(scene.repository.paths, scene.record.invocation_id)
    const diff = await diffInvocation(scene.repository, record, { patch: false })
    expect(diff.files.map(({ path }) => path)).toEqual(['a', 'b'])
    await landInvocation(scene.repository, record, {})
    expect(git(scene.worktree.tree_path, 'ls-tree', '--name-only', 'HEAD')).toBe('README.md\na\nb')
  })
})

describe("a worktree's edited record", () => {
  sample(it).each([
    ['tree_path', '/somewhere'],
    ['branch', 'main'],
    ['name', 'other'],
    ['name', '\u001b]0;x\u0007'],
  ])('is unreadable where its %s is not the one that follows from its id: %j', async (field, value) => {
    const scene = await makeScene()
    const { paths } = scene.repository
    edit(paths.worktree(scene.worktree.worktree_id).meta, { [field]: value })
    await refusal((async () => readWorktree(paths, scene.worktree.worktree_id))())
    expect((await refusal(landInvocation(scene.repository, scene.record, { apply: true }))).code).toMatch(
      /E_RECORD_UNREADABLE|E_NAME_INVALID/,
    )
  })

  it("has no landing write another tree's index", async () => {
    const scene = await makeScene()
    shell(scene.tree, 'echo work > work; git add work; git commit -qm work')
    const index = readFileSync(join(scene.root, '.git/index'))
    edit(scene.repository.paths.worktree(scene.worktree.worktree_id).meta, {
      git_dir: join(scene.root, '.git'),
    })
    const { code } = await refusal(landInvocation(scene.repository, scene.record, {}))
    expect(code).toBe('E_NOT_INTEGRATION_TREE')
    expect(readFileSync(join(scene.root, '.git/index'))).toEqual(index)
  })
})

describe("the repository's edited record", () => {
  it('does not lead to another repository', async () => {
    const [mine, other] = [makeDesk(), makeDesk()]
    await mine.worktree('one')
    const [repoId = ''] = readdirSync(join(mine.dataDir, 'repos'))
    edit(join(mine.dataDir, 'repos', repoId, 'repo.json'), {
      git_common_dir: join(other.root, '.git'),
      root: other.root,
    })
    await mine.worktree('two')
    expect(git(other.root, 'branch', '--list', 'agency/*')).toBe('')
    expect(git(mine.root, 'branch', '--list', 'agency/two-*')).not.toBe('')
  })
})

describe('a record that names a stranger as its host', () => {
  it("does not have the stranger killed, nor another invocation's agent stopped, and the agent ends", async () => {
    const desk = makeDesk()
    await desk.worktree('one')
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore' })
    onTestFinished(() => void stranger.kill('SIGKILL'))
    const agent = await desk.start('one', 'exec sleep 300')
    const bystander = await desk.start('one', 'exec sleep 300')
    const [repoId = ''] = readdirSync(join(desk.dataDir, 'repos'))
    const meta = join(desk.dataDir, 'repos', repoId, 'invocations', agent.invocation_id, 'meta.json')
    const host = systemProcesses().identityOf(stranger.pid ?? 0)
    edit(meta, { host: { ...host, socket_path: bystander.host?.socket_path } })
    const ran = await desk.run(['agent', 'kill', agent.invocation_id])
    expect(ran.exitCode).toBe(0)
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null)
    expect((await desk.show(bystander.invocation_id)).status).toBe('running')
    expect((await desk.show(agent.invocation_id)).status).toBe('failed')
    expect(existsSync(showPath(agent.sandbox_path))).toBe(true)
    expect(systemProcesses().isAlive({ pid: agent.pid ?? 0, start_time: '' })).toBe(false)
    await desk.run(['agent', 'kill', bystander.invocation_id])
  })
})

describe("a link in the place of one of agency's own files", () => {
  it("does not lead our writing to a file of the person's", async () => {
    const scene = await makeScene()
    const mine = join(makeScratch(), 'mine')
    writeFileSync(mine, 'precious\n')
    const { paths, effects, record } = scene.repository
    const own = [
      paths.invocation(scene.record.invocation_id).events,
      paths.operations,
      join(paths.cleanRoom, 'config'),
      join(paths.cleanRoom, 'HEAD'),
    ]
    for (const path of own) {
      rmSync(path, { force: true })
      symlinkSync(mine, path)
    }
    await bindRepository(effects, record)
    appendEvent(paths, scene.record.invocation_id, { kind: 'created', message: 'made' })
    await discardInvocation(scene.repository, scene.record, async () => scene.record)
    expect(readFileSync(mine, 'utf8')).toBe('precious\n')
    expect(readEvents(paths, scene.record.invocation_id)).toHaveLength(2)
  })
})

describe('a data directory behind a symbolic link', () => {
  it('serves every verb that deletes', async () => {
    const desk = makeDesk()
    const real = makeScratch()
    writeFiles(real, { 'data/keep': '' })
    symlinkSync(join(real, 'data'), desk.dataDir)
    await desk.worktree('one')
    const agent = await desk.start('one', 'echo work > work')
    await desk.run(['agent', 'wait', agent.invocation_id])
    expect(await desk.run(['agent', 'discard', agent.invocation_id])).toMatchObject({ exitCode: 0 })
    expect(await desk.run(['undo'])).toMatchObject({ exitCode: 0 })
    expect(await desk.run(['worktree', 'rm', 'one', '--force'])).toMatchObject({ exitCode: 0 })
  })
})
