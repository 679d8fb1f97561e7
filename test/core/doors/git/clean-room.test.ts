import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOutTree } from '../../../../src/core/changesets/worktree/make/check-out-tree.ts'
import type { RepositoryGit } from '../../../../src/core/doors/effects.ts'
import { formatGitConfig, openCleanRoom } from '../../../../src/core/doors/git/clean-room.ts'
import { addTree } from '../../../../src/core/doors/git/linked-worktrees.ts'
import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import { parseObjectId } from '../../../../src/core/model/ids.ts'
import { repoRecordSchema } from '../../../../src/core/model/repo.ts'
import { readLocalConfig } from '../../../../src/core/store/repository.ts'
import { git, makeRepository, makeScratch, writeFiles } from '../../../support/git/repository.ts'

interface Room {
  readonly scratch: string
  readonly root: string
  readonly room: RepositoryGit
}

async function makeRoom(prepare: (root: string) => void = () => {}): Promise<Room> {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'repo'), { 'a.txt': 'one\n', 'b.dat': 'two\n' })
  prepare(root)
  const record = repoRecordSchema.parse({
    schema_version: '1.0',
    repo_id: '0123456789abcdef',
    root,
    git_common_dir: join(root, '.git'),
    created_at: '',
    last_used_at: '',
    trusted_config: await readLocalConfig(spawnHere, join(root, '.git')),
  })
  return { scratch, root, room: await openCleanRoom(join(scratch, 'room.git'), record, spawnHere) }
}

async function addSandbox({ scratch, root, room }: Room) {
  const tree_path = join(scratch, 'sandboxes', 'one', 'tree')
  const start = parseObjectId(git(root, 'rev-parse', 'main'))
  return { tree_path, git_dir: await addTree(room, { tree_path, branch: 'agency/sandbox-one', start }) }
}

/** Plants everything that git would run if it read this repository's own configuration and hooks. */
function plant(root: string, canary: string): void {
  const run = `touch '${canary}'; cat`
  const included = `${canary}.inc`
  writeFileSync(included, `[core]\n\tfsmonitor = "touch '${canary}'; false"\n`)
  const settings = {
    'core.fsmonitor': `touch '${canary}'; false`,
    'core.hooksPath': join(root, '.git', 'hooks'),
    'core.pager': run,
    'core.editor': run,
    'core.sshCommand': run,
    'core.alternateRefsCommand': run,
    'diff.external': run,
    'diff.evil.command': run,
    'diff.evil.textconv': run,
    'filter.evil.clean': run,
    'filter.evil.smudge': run,
    'filter.evil.process': run,
    'filter.evil.required': 'true',
    'merge.evil.driver': run,
    'gpg.program': run,
    'credential.helper': `!${run}`,
    'alias.status': `!${run}`,
    'include.path': included,
    'commit.gpgSign': 'true',
  }
  for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value)
  mkdirSync(join(root, '.git', 'info'), { recursive: true })
  writeFileSync(join(root, '.git', 'info', 'attributes'), '* filter=evil diff=evil merge=evil\n')
  mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
  for (const hook of [
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'pre-commit',
    'post-commit',
  ]) {
    const path = join(root, '.git', 'hooks', hook)
    writeFileSync(path, `#!/bin/sh\ntouch '${canary}'\n`)
    chmodSync(path, 0o755)
  }
}

describe('the clean room', () => {
  it('runs nothing that an agent planted in the shared configuration, hooks or attributes', async () => {
    const made = await makeRoom()
    const canary = join(made.scratch, 'canary')
    plant(made.root, canary)

    const where = await addSandbox(made)
    await checkOutTree(made.room, where)
    const inTree = made.room.tree(where)
    writeFiles(where.tree_path, {
      'a.txt': 'changed\n',
      '.gitattributes': '* filter=evil diff=evil\n',
      new: 'x',
    })
    const index = join(made.scratch, 'index')
    await inTree.run(['read-tree', 'HEAD'], { index })
    await inTree.run(['add', '-A'], { index })
    const tree = await inTree.object(['write-tree'], { index })
    const commit = await inTree.object(['commit-tree', tree, '-p', 'HEAD', '-m', 'work'])
    await inTree.run(['update-ref', '-m', 'test', 'refs/heads/agency/sandbox-one', commit])
    await inTree.run(['status', '--porcelain'])
    await inTree.run(['diff', 'HEAD~1', 'HEAD'])

    expect(existsSync(canary)).toBe(false)
    expect(git(made.root, 'cat-file', '-p', `${commit}:a.txt`)).toBe('changed')
    // With another time than in the index, git has to read the file and to ask the filter.
    utimesSync(join(made.root, 'a.txt'), 1, 1)
    expect(() => git(made.root, 'status')).toThrow()
    expect(existsSync(canary)).toBe(true)
  })

  it("goes on using the filters that the person had set before, as git-lfs's are", async () => {
    const made = await makeRoom((root) => {
      git(root, 'config', 'filter.upper.clean', "tr 'a-z' 'A-Z'")
      git(root, 'config', 'filter.upper.smudge', "tr 'A-Z' 'a-z'")
    })
    const where = await addSandbox(made)
    await checkOutTree(made.room, where)
    writeFiles(where.tree_path, { '.gitattributes': '*.dat filter=upper\n', 'b.dat': 'hello\n' })
    const inTree = made.room.tree(where)
    const index = join(made.scratch, 'index')
    await inTree.run(['add', '-A'], { index })
    expect(await inTree.text(['show', ':b.dat'], { index })).toBe('HELLO')
  })

  it("shares the repository's refs both ways, packed ones too", async () => {
    const { root, room } = await makeRoom()
    const head = git(root, 'rev-parse', 'HEAD')
    await room.store.run(['update-ref', 'refs/agency/test', head])
    expect(git(root, 'rev-parse', 'refs/agency/test')).toBe(head)
    git(root, 'pack-refs', '--all')
    expect(await room.store.text(['rev-parse', 'refs/agency/test'])).toBe(head)
    await room.store.run(['update-ref', '-d', 'refs/agency/test'])
    expect(git(root, 'for-each-ref', 'refs/agency/')).toBe('')
  })

  it('opens the same room again, with the configuration that is trusted by then', async () => {
    const { scratch, root } = await makeRoom()
    const record = repoRecordSchema.parse({
      schema_version: '1.0',
      repo_id: '0123456789abcdef',
      root,
      git_common_dir: join(root, '.git'),
      created_at: '',
      last_used_at: '',
      trusted_config: [['user.name', 'Somebody else']],
    })
    const again = await openCleanRoom(join(scratch, 'room.git'), record, spawnHere)
    expect(await again.store.text(['rev-parse', 'refs/heads/main'])).toBe(git(root, 'rev-parse', 'main'))
    expect(readFileSync(join(scratch, 'room.git', 'config'), 'utf8')).toContain('Somebody else')
  })
})

describe('writing git configuration', () => {
  it('comes back from git as it went in, whatever the value holds', async () => {
    const scratch = makeScratch()
    const pairs: [string, string | null][] = [
      ['user.name', 'A "quoted" \\ name # not a comment; no'],
      ['filter.l f.s.clean', 'git-lfs clean -- %f\nsecond\tline'],
      ['branch.a"b\\c.remote', ' leading and trailing '],
      ['extensions.flag', null],
    ]
    const path = join(scratch, 'config')
    writeFileSync(
      path,
      formatGitConfig([...pairs, ['core.worktree', '/elsewhere'], ['include.path', '/elsewhere']]),
    )
    const listed = git(scratch, 'config', '--file', path, '--list', '-z').split('\0')
    expect(listed).toEqual([
      'core.bare=false'.replace('=', '\n'),
      ...pairs.map(([key, value]) => (value === null ? key : `${key}\n${value}`)),
      '',
    ])
  })
})
