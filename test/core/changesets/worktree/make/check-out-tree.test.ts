import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOutTree, halveCommit } from '../../../../../src/core/changesets/worktree/make/check-out-tree.ts'
import { writeMarker } from '../../../../../src/core/changesets/worktree/proof/marker.ts'
import type { Git } from '../../../../../src/core/doors/effects.ts'
import { addTree } from '../../../../../src/core/doors/git/linked-worktrees.ts'
import { parseObjectId } from '../../../../../src/core/model/ids.ts'
import { SANDBOX_MARKER } from '../../../../../src/core/model/markers.ts'
import { bindRepository, readLocalConfig } from '../../../../../src/core/store/repository.ts'
import { git } from '../../../../support/git/repository.ts'
import { treeManifest } from '../../../../support/git/tree-manifest.ts'
import { sample } from '../../../../support/run/sampled.ts'
import { shell } from '../../../../support/scene/sandbox.ts'
import { makeWorld } from '../../../../support/scene/world.ts'

/** Enough files for two gits, all in one directory, which both want to make. */
const MANY = Object.fromEntries(
  Array.from({ length: 1200 }, (_, n) => [`src/lib/${n}.txt`, `hello ${n % 7}\n`]),
)

/** Our tree of what `script` has committed, in a repository with the configuration that `script` has set. */
async function prepare(script: string, from = 'HEAD') {
  const { root, scratch, effects, repository } = await makeWorld(MANY)
  shell(root, script)
  const trusted_config = await readLocalConfig(effects.spawner, join(root, '.git'))
  const { git: room } = await bindRepository(effects, { ...repository.record, trusted_config })
  const commit = parseObjectId(git(root, 'rev-parse', from))
  const tree_path = join(scratch, 'tree')
  const git_dir = await addTree(room, { tree_path, branch: 'agency/sandbox-one', start: commit })
  writeMarker(tree_path, SANDBOX_MARKER)
  const asked: string[] = []
  const store: Git = {
    ...room.store,
    run: (args, options) => {
      asked.push(args[0] ?? '')
      return room.store.run(args, options)
    },
  }
  const run = async (likely?: string) => {
    const wanted = { commit, scratchDir: scratch, ...(likely === undefined ? {} : { likely }) }
    const halving = halveCommit({ ...room, store }, wanted)
    await checkOutTree(room, { tree_path, git_dir }, { ...wanted, halving })
    return { halved: (await halving) !== null, asked }
  }
  return { root, scratch, commit, tree_path, git_dir, run }
}

/** The same commit in a tree that a single git has made. */
function makeByGit(made: { root: string; scratch: string; commit: string }): Record<string, string> {
  const tree = join(made.scratch, 'by-git')
  git(made.root, 'worktree', 'add', '-q', '--detach', tree, made.commit)
  return treeManifest(tree)
}

const CONVERTED = `
  git config filter.rot13.smudge "tr a-z n-za-m"; git config filter.rot13.clean "tr a-z n-za-m"
  echo '*.txt eol=crlf' > .gitattributes; echo '*99.txt filter=rot13' > src/lib/.gitattributes
  git add .; git commit -qm converted`

const ODD = `
  ln -s lib src/link; ln -s nowhere src/lib/zz; echo '#!' > src/run; chmod +x src/run
  : > "$(printf 'src/\\377\\nname')"; mkdir src/zzz; echo z > src/zzz/z
  git init -q s; git -C s commit -q --allow-empty -m s; git add . 2>&1; git commit -qm odd; rm -rf s; mkdir s`

describe('a large tree is written by two gits, just as by one', () => {
  sample(it).each([
    ['links, programs, odd names and a submodule', ODD],
    ["attributes, and filters of the person's own", CONVERTED],
    ["the repository's line ends", 'git config core.autocrlf true'],
  ])('%s', async (_name, script) => {
    const made = await prepare(script)
    expect(await made.run()).toMatchObject({ halved: true })
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
    expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
    expect(git(made.tree_path, 'ls-files', '-s')).toBe(git(join(made.scratch, 'by-git'), 'ls-files', '-s'))
    git(made.tree_path, 'fsck', '--no-dangling')
  })
})

/** Gives the first entry of the index the object of another file. */
function exchangeFirstObject(root: string): void {
  const path = join(root, '.git/index')
  const index = readFileSync(path)
  Buffer.from(git(root, 'rev-parse', 'HEAD:src/lib/6.txt'), 'hex').copy(index, 12 + 40)
  writeFileSync(path, index)
}

describe('the index of a tree that may have the same commit', () => {
  const STAGED = 'echo staged > src/lib/3.txt; git add src'

  it('is taken for that of the commit, and none is made', async () => {
    const made = await prepare('git update-index --untracked-cache; git read-tree HEAD')
    expect(await made.run(join(made.root, '.git'))).toEqual({ halved: true, asked: [] })
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
    expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
  })

  it('is left alone where something is staged', async () => {
    const made = await prepare(STAGED)
    expect(await made.run(join(made.root, '.git'))).toEqual({ halved: true, asked: ['read-tree'] })
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
  })

  sample(it).each([
    ['with other files', `${STAGED}; git commit -qm other`],
    ['with other directories', 'mkdir new; git mv src new/src; git commit -qm moved'],
    ['with fewer files', 'git rm -q src/lib/1.txt src/lib/900.txt; git commit -qm fewer'],
    ['with more files', 'echo > a; echo > src/lib/5000.txt; echo > z; git add .; git commit -qm more'],
    [
      'with a directory for a file',
      'rm src/lib/3.txt; mkdir src/lib/3.txt; echo > src/lib/3.txt/x; git add .; git commit -qm d',
    ],
  ])('may be of another one %s: the files are those of the commit', async (_name, script) => {
    const made = await prepare(script, 'HEAD~1')
    expect(await made.run(join(made.root, '.git'))).toEqual({ halved: true, asked: [] })
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
    expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
    expect(readdirSync(made.tree_path).sort()).toEqual(
      ['.agency', ...readdirSync(join(made.scratch, 'by-git'))].sort(),
    )
  })

  it('is not believed of what it has: the files are those of the commit', async () => {
    const made = await prepare('git read-tree HEAD')
    exchangeFirstObject(made.root)
    await made.run(join(made.root, '.git'))
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
    expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
  })

  it('that is small spares the others', async () => {
    const made = await prepare('git rm -rq --cached src/lib; git commit -qm few')
    expect(await made.run(join(made.root, '.git'))).toEqual({ halved: false, asked: [] })
    expect(treeManifest(made.tree_path)).toEqual(makeByGit(made))
  })
})

describe('a large tree', () => {
  it('has an index that knows its files, so that git need not read them again', async () => {
    const { run, tree_path } = await prepare('true')
    await run()
    const known = git(tree_path, 'ls-files', '--debug').match(/size: \d+/g) ?? []
    expect(known).toHaveLength(1200)
    expect(known.filter((size) => size === 'size: 0')).toEqual([])
    expect(git(tree_path, 'diff-files')).toBe('')
  })

  it('that is sparse, or has files where our marker lies, is written by one git', async () => {
    const marked = await prepare(
      'mkdir .agency; echo mine > .agency/.gitignore; git add -f .; git commit -qm a',
    )
    expect(await marked.run()).toMatchObject({ halved: false })
    expect(readFileSync(join(marked.tree_path, '.agency/.gitignore'), 'utf8')).toBe('mine\n')

    const sparse = await prepare(
      'git sparse-checkout set --no-cone /src/lib/1.txt; git config core.sparseCheckout true',
    )
    await sparse.run()
    expect(readdirSync(join(sparse.tree_path, 'src/lib'))).toEqual(['1.txt'])
    expect(git(sparse.tree_path, 'status', '--porcelain')).toBe('')
  })

  it('that cannot be written whole is an error, and nothing of ours is left beside it', async () => {
    const { run, root, scratch, git_dir } = await prepare('true')
    const blob = git(root, 'rev-parse', 'HEAD:src/lib/7.txt')
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    await expect(run()).rejects.toMatchObject({ code: 'E_GIT_FAILED' })
    expect(readdirSync(scratch).filter((name) => name.startsWith('indexes-'))).toEqual([])
    expect(existsSync(join(git_dir, 'index'))).toBe(false)
  })
})
