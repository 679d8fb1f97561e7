import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { listWorktrees } from '../../../../src/core/store/worktrees.ts'
import { git, makeScratch } from '../../../support/git/repository.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

const create = ({ repository, root }: World, name = 'my-feature', parent?: string) =>
  createWorktree(repository, { name, parent, cwd: root })

describe('creating a worktree', () => {
  it('makes branch, tree, marker and record', async () => {
    const world = await makeWorld({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n' })
    const made = await create(world)

    expect(made.branch).toBe(`agency/my-feature-${made.worktree_id.slice(-4)}`)
    expect(git(made.tree_path, 'symbolic-ref', 'HEAD')).toBe(`refs/heads/${made.branch}`)
    expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(made.tree_path, 'dir/b.txt'), 'utf8')).toBe('two\n')
    expect(existsSync(join(made.tree_path, '.agency/INTEGRATION_MARKER'))).toBe(true)
    expect(listWorktrees(world.repository.paths)).toEqual([made])
  })

  it("does not touch the person's own tree, index or branch", async () => {
    const world = await makeWorld()
    writeFileSync(join(world.root, 'README.md'), 'my own edit\n')
    writeFileSync(join(world.root, 'new.txt'), 'mine\n')
    git(world.root, 'add', 'new.txt')
    const before = [git(world.root, 'status', '--porcelain'), git(world.root, 'rev-parse', 'HEAD')]
    const index = readFileSync(join(world.root, '.git/index'))
    await create(world)
    expect(readFileSync(join(world.root, '.git/index')).equals(index)).toBe(true)
    expect([git(world.root, 'status', '--porcelain'), git(world.root, 'rev-parse', 'HEAD')]).toEqual(before)
  })

  it('refuses a name that a present worktree has, and takes one that an archived has', async () => {
    const world = await makeWorld()
    await create(world)
    await expect(create(world)).rejects.toMatchObject({ code: 'E_NAME_TAKEN' })
  })

  it('branches off the parent that was named, and refuses one that does not exist', async () => {
    const world = await makeWorld()
    git(world.root, 'branch', 'release')
    expect((await create(world, 'one', 'release')).parent_branch).toBe('release')
    await expect(create(world, 'two', 'nowhere')).rejects.toMatchObject({ code: 'E_BRANCH_NOT_FOUND' })
    await expect(create(world, 'two', '--force')).rejects.toMatchObject({ code: 'E_BRANCH_NOT_FOUND' })
  })

  it('says so where HEAD is detached, where nothing is committed, and outside a repository', async () => {
    const world = await makeWorld()
    git(world.root, 'checkout', '-q', '--detach')
    await expect(create(world)).rejects.toMatchObject({ code: 'E_HEAD_DETACHED' })

    const empty = join(makeScratch(), 'empty')
    mkdirSync(empty)
    git(empty, 'init', '-q', '-b', 'main')
    const repository = await openRepository(world.effects, empty)
    const creating = createWorktree(repository, { name: 'one', cwd: empty })
    await expect(creating).rejects.toMatchObject({ code: 'E_REPOSITORY_EMPTY' })

    await expect(openRepository(world.effects, makeScratch())).rejects.toMatchObject({
      code: 'E_NOT_A_REPOSITORY',
    })
  })

  it('refuses a data directory that lies in the repository itself', async () => {
    const world = await makeWorld()
    const repository = await openRepository(
      { ...world.effects, dataDir: join(world.root, 'data') },
      world.root,
    )
    await expect(create({ ...world, repository })).rejects.toMatchObject({ code: 'E_SANDBOX_UNSAFE_PATH' })
    expect(git(world.root, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('works in a path with spaces, newlines and quotes, and in a bare repository', async () => {
    const world = await makeWorld()
    const odd = join(world.scratch, 'odd \'"\n dir')
    git(world.scratch, 'clone', '-q', world.root, odd)
    git(world.scratch, 'clone', '-q', '--bare', world.root, join(world.scratch, 'bare.git'))
    for (const root of [odd, join(world.scratch, 'bare.git')]) {
      const repository = await openRepository(
        { ...world.effects, dataDir: join(world.scratch, 'data \n2') },
        root,
      )
      const made = await createWorktree(repository, { name: 'one', cwd: root })
      expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
    }
  })

  it('leaves nothing when any step fails', async () => {
    const world = await makeWorld()
    await create(world, 'first')
    const count = world.steps.length
    expect(count).toBeGreaterThan(3)
    for (let step = 0; step < count; step++) {
      world.failAt(step)
      await expect(create(world, 'second')).rejects.toThrow('the test stopped at')
      world.failAt(null)
      expect(git(world.root, 'branch', '--list', 'agency/second*')).toBe('')
      expect(git(world.root, 'worktree', 'list').split('\n')).toHaveLength(2)
      expect(listWorktrees(world.repository.paths)).toHaveLength(1)
    }
  })
})

describe('a directory outside any repository', () => {
  it('is refused with the repositories that are known', async () => {
    const world = await makeWorld()
    await create(world)
    await expect(openRepository(world.effects, makeScratch())).rejects.toMatchObject({
      code: 'E_NOT_A_REPOSITORY',
      hint: `cd '${world.root}'`,
      details: { known_repositories: [world.root] },
    })
  })

  it('is refused without those that are gone', async () => {
    const world = await makeWorld()
    await create(world)
    rmSync(world.root, { recursive: true })
    const refusal = openRepository(world.effects, makeScratch())
    await expect(refusal).rejects.toMatchObject({
      details: expect.not.objectContaining({ known_repositories: [world.root] }),
    })
    await expect(refusal).rejects.toThrow(/is not inside a git repository$/)
  })
})
