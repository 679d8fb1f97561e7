import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const land = (scene: Scene, options = {}) => landInvocation(scene.repository, scene.record, options)

/** Moves the branch on, so that the sandbox's commits must be made anew. */
function moveOn(scene: Scene, files: Record<string, string> = { 'of-the-person': 'mine\n' }): string {
  writeFiles(scene.worktree.tree_path, files)
  return commitAll(scene.worktree.tree_path, 'Mine')
}

const rawCommit = (cwd: string, commit: string): string =>
  execFileSync('git', ['cat-file', 'commit', commit], { cwd, encoding: 'latin1' })

describe('histories of every shape land', () => {
  test('merges become one commit that lists what it holds', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(
      scene.tree,
      `git checkout -q -b side; echo s > s; git add s; git commit -qm 'On the side'
       git checkout -q -; echo m > m; git add m; git commit -qm 'On the main'
       git merge -q --no-edit side`,
    )
    moveOn(scene)

    const landing = await land(scene)

    expect(landing).toMatchObject({ manner: 'squash', landed: [landing.to] })
    const { tree_path } = scene.worktree
    const message = git(tree_path, 'log', '-1', '--format=%an|%B')
    expect(message).toContain('Agent|agency: land invocation')
    expect(message).toContain('* On the side\n')
    for (const file of ['s', 'm', 'of-the-person']) expect(existsSync(join(tree_path, file))).toBe(true)
  })

  test('a branch rebased onto where the worktree is now lands as it is', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { b: 'b\n' })
    commitAll(scene.tree, 'Work')
    const head = moveOn(scene)
    git(scene.tree, '-c', 'user.name=A', '-c', 'user.email=a@b', 'rebase', '-q', head)
    const tip = git(scene.tree, 'rev-parse', 'HEAD')

    expect(await land(scene)).toMatchObject({ manner: 'fast_forward', to: tip })
  })

  test('commits of another branch that a rebase brought along are said to be so', async () => {
    const scene = await makeScene()
    writeFiles(scene.root, { upstream: 'u\n' })
    commitAll(scene.root, 'Upstream')
    writeFiles(scene.tree, { b: 'b\n' })
    commitAll(scene.tree, 'Work')
    git(scene.tree, 'fetch', '-q', scene.root, 'main')
    git(scene.tree, '-c', 'user.name=A', '-c', 'user.email=a@b', 'rebase', '-q', 'FETCH_HEAD')

    expect((await land(scene)).notes).toEqual(['on another branch too: 1 commit of it'])
  })

  test('a history that does not come from the base lands as the difference that the diff shows', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n' })
    shell(scene.tree, `git checkout -q --orphan fresh; echo new > a; git commit -qam 'From nothing'`)
    moveOn(scene)

    const landing = await land(scene)

    expect(landing.manner).toBe('squash')
    expect(landing.notes[0]).toMatch(/^the agent had left its branch/)
    const { tree_path } = scene.worktree
    expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('new\n')
    expect(readFileSync(join(tree_path, 'b'), 'utf8')).toBe('b\n')
    expect(existsSync(join(tree_path, 'of-the-person'))).toBe(true)
  })

  test('work on a detached HEAD is what lands, and the own branch is kept', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { lonely: 'l\n' })
    const lonely = commitAll(scene.tree, 'Left behind')
    git(scene.tree, 'checkout', '-q', '--detach', scene.record.base_commit)
    writeFiles(scene.tree, { b: 'b\n' })
    commitAll(scene.tree, 'Detached')

    await land(scene)

    const { tree_path } = scene.worktree
    expect(existsSync(join(tree_path, 'b'))).toBe(true)
    expect(existsSync(join(tree_path, 'lonely'))).toBe(false)
    const kept = `refs/agency/trash/${scene.record.invocation_id}`
    git(scene.root, 'merge-base', '--is-ancestor', lonely, kept)
  })
})

describe('commits keep their bytes', () => {
  test('author, date, message in its own encoding and odd headers, but no signature', async () => {
    const scene = await makeScene()
    const tree = git(scene.tree, 'write-tree')
    writeFiles(scene.tree, { b: 'b\n' })
    shell(scene.tree, 'git add b')
    const changed = git(scene.tree, 'write-tree')
    expect(changed).not.toBe(tree)
    const author = 'J\xf6rg <j@example.com> 1234567890 -0930'
    const message = 'Gr\xfc\xdfe\n\n  indented  \n\ntrailing\n\n\n'
    const raw = `tree ${changed}\nparent ${scene.record.base_commit}\nauthor ${author}\ncommitter X <x@y> 1 +0000\nencoding ISO-8859-1\ngpgsig -----BEGIN PGP SIGNATURE-----\n abc\n -----END PGP SIGNATURE-----\n\n${message}`
    const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: scene.tree,
      input: Buffer.from(raw, 'latin1'),
      encoding: 'utf8',
    }).trim()
    git(scene.tree, 'reset', '-q', '--hard', commit)
    moveOn(scene)

    const { to, from } = await land(scene)

    const [headers, ...body] = rawCommit(scene.root, to).split('\n\n')
    expect(body.join('\n\n')).toBe(message)
    expect(headers?.split('\n').slice(1)).toEqual([
      `parent ${from}`,
      `author ${author}`,
      expect.stringMatching(/^committer Person <person@example.com> \d+ \+0000$/),
      'encoding ISO-8859-1',
    ])
  })

  test('an empty message stays empty', async () => {
    const scene = await makeScene()
    shell(scene.tree, `echo b > b; git add b; git commit -q --allow-empty-message -m ''`)
    moveOn(scene)
    const { to } = await land(scene)
    expect(rawCommit(scene.root, to)).toMatch(/\n\n$/)
    expect(git(scene.root, 'fsck', '--no-dangling')).toBe('')
  })
})

describe('files of every kind land', () => {
  const KINDS = `
    chmod +x script; git mv old new; ln -s target link; printf '\\0\\377' > binary
    rm -r dir; echo file > dir; rm file; mkdir file; echo in > file/in
    rm swap; ln -s dir swap; printf 'a\\r\\nb\\r\\n' > crlf.txt
    echo x > 'a "quoted" *'; echo x > '-dash'; printf x > "$(printf 'bad\\377name')"
    printf x > "$(printf 'new\\nline')"; echo x > ':(top)'`
  const START = {
    script: '#!/bin/sh\n',
    old: 'moved\n'.repeat(20),
    'dir/in': 'in\n',
    file: 'file\n',
    swap: 'swap\n',
    'crlf.txt': 'a\r\n',
  }

  sample(test).each([
    ['onto the same head', false],
    ['onto a head that moved', true],
  ])('modes, renames, links, binaries, swaps, odd names: %s', async (_, moved) => {
    const scene = await makeScene(START)
    shell(scene.tree, `${KINDS}\n git add -A; git commit -qm 'Everything'`)
    const tip = git(scene.tree, 'rev-parse', 'HEAD')
    if (moved) moveOn(scene)

    await land(scene)

    const { tree_path } = scene.worktree
    expect(git(tree_path, 'diff', '--name-only', tip, 'HEAD')).toBe(moved ? 'of-the-person' : '')
    expect(git(tree_path, 'status', '--porcelain')).toBe('')
    expect(lstatSync(join(tree_path, 'script')).mode & 0o111).not.toBe(0)
    expect(readlinkSync(join(tree_path, 'swap'))).toBe('dir')
    expect(readFileSync(join(tree_path, 'crlf.txt'), 'utf8')).toBe('a\r\nb\r\n')
  })

  test('the same from uncommitted work', async () => {
    const scene = await makeScene(START)
    shell(scene.tree, KINDS)
    moveOn(scene)
    const landing = await land(scene, { apply: true })
    const { tree_path } = scene.worktree
    expect(git(tree_path, 'status', '--porcelain')).toBe('')
    expect(git(tree_path, 'show', '--stat', '--format=', landing.to)).toContain('old => new')
  })

  test('a submodule entry moves without its files', async () => {
    const scene = await makeScene()
    const { base_commit } = scene.record
    shell(
      scene.tree,
      `git update-index --add --cacheinfo 160000,${base_commit},sub; mkdir -p sub; git commit -qm 'Submodule'`,
    )
    moveOn(scene)
    await land(scene)
    expect(git(scene.worktree.tree_path, 'ls-files', '-s', 'sub')).toBe(`160000 ${base_commit} 0\tsub`)
    expect(git(scene.worktree.tree_path, 'status', '--porcelain')).toBe('')
  })

  test("the person's own merge rules hold: union merges in the worktree's attributes", async () => {
    const scene = await makeScene({ '.gitattributes': 'LOG merge=union\n', LOG: 'one\n' })
    writeFiles(scene.tree, { LOG: 'one\ntheirs\n' })
    commitAll(scene.tree, 'Theirs')
    moveOn(scene, { LOG: 'one\nours\n' })
    await land(scene)
    expect(readFileSync(join(scene.worktree.tree_path, 'LOG'), 'utf8')).toBe('one\nours\ntheirs\n')
  })
})

test('the result is the tree that cherry-pick would have made', async () => {
  const scene = await makeScene({ a: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', b: 'b\n', c: 'c\n'.repeat(30) })
  shell(
    scene.tree,
    `sed -i 's/2/two/' a; git commit -qam one; git mv c d; git commit -qm two
     sed -i 's/two/TWO/' a; echo more >> d; git commit -qam three; git rm -q b; git commit -qm four`,
  )
  const tip = git(scene.tree, 'rev-parse', 'HEAD')
  moveOn(scene, { a: '1\n2\n3\n4\n5\n6\n7\n8\nnine\n', c: `first\n${'c\n'.repeat(30)}` })
  git(scene.root, 'worktree', 'add', '-q', '--detach', '../pick', scene.worktree.branch)
  git(join(scene.root, '../pick'), 'fetch', '-q', scene.tree, 'HEAD')
  git(join(scene.root, '../pick'), 'cherry-pick', `${scene.record.base_commit}..${tip}`)

  const { to } = await land(scene)

  const picked = git(join(scene.root, '../pick'), 'rev-parse', 'HEAD^{tree}')
  expect(git(scene.root, 'rev-parse', `${to}^{tree}`)).toBe(picked)
})
