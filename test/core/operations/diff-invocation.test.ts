import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diffInvocation } from '../../../src/core/operations/diff-invocation.ts'
import { commitAll, git, makeScratch, writeFiles } from '../../support/repository.ts'
import { makeScene, type Scene, shell } from '../../support/sandbox.ts'

const diff = (scene: Scene) => diffInvocation(scene.repository, scene.record, { patch: true })

async function makeWork(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', old: 'moved\n'.repeat(20), gone: 'g\n', script: '#!/bin/sh\n' })
  shell(
    scene.tree,
    `git mv old new; echo more >> a; git commit -qam 'First'; git rm -q gone; git commit -qm 'Second'
     chmod +x script; printf '\\0\\1' > binary; mkdir d; echo loose > d/loose`,
  )
  return scene
}

describe('the diff of a sandbox', () => {
  test('is its whole work: commits, uncommitted and untracked files', async () => {
    const found = await diff(await makeWork())
    expect(found.commits.map(({ subject, author }) => `${author}: ${subject}`)).toEqual([
      'Agent: Second',
      'Agent: First',
    ])
    expect(found.dirty).toBe(true)
    expect(
      found.files.map(({ kind, path, from_path, uncommitted, binary }) =>
        [kind, from_path, path, uncommitted ? 'uncommitted' : '', binary ? 'binary' : '']
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual([
      'modified a',
      'added binary uncommitted binary',
      'added d/loose uncommitted',
      'deleted gone',
      'renamed old new',
      'modified script uncommitted',
    ])
  })

  test('has a patch that makes of the base what the sandbox is', async () => {
    const scene = await makeWork()
    writeFileSync(join(scene.tree, 'latin1.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a]))
    const { patch, state_tree, base } = await diff(scene)
    const index = join(makeScratch(), 'index')
    const env = { ...process.env, GIT_INDEX_FILE: index }
    const run = (args: string[], input?: Uint8Array) =>
      execFileSync('git', args, { cwd: scene.root, env, input, encoding: 'utf8' }).trim()
    run(['read-tree', base])
    run(['apply', '--cached', '-'], patch)
    expect(run(['write-tree'])).toBe(state_tree)
  })

  test('does not depend on the configuration of the person', async () => {
    const scene = await makeWork()
    const plain = await diff(scene)
    const home = makeScratch()
    writeFileSync(
      join(home, '.gitconfig'),
      `[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\tcontext = 0\n\trenames = false\n\tindentHeuristic = false\n\tsuppressBlankEmpty = true\n\talgorithm = patience\n\torderFile = /dev/null\n\tsubmodule = log\n\trelative = true\n\tinterHunkContext = 9\n[color]\n\tui = always\n[core]\n\tpager = false\n\tabbrev = 4\n[log]\n\tdate = relative\n\tshowSignature = true\n`,
    )
    const before = process.env['HOME']
    process.env['HOME'] = home
    try {
      expect(await diff(scene)).toEqual(plain)
    } finally {
      process.env['HOME'] = before
    }
  })

  test('cannot be hidden by attributes that the agent wrote', async () => {
    const scene = await makeScene({ a: 'a\n' })
    writeFiles(scene.tree, { a: 'evil\n', '.gitattributes': '* -diff binary\n' })
    commitAll(scene.tree, 'Nothing to see')
    expect(Buffer.from((await diff(scene)).patch).toString('utf8')).toContain('-a\n+evil\n')
  })

  test('of a sandbox that changed nothing is empty', async () => {
    const nothing = await diff(await makeScene())
    expect(nothing).toMatchObject({ commits: [], files: [], dirty: false })
    expect(nothing.patch).toHaveLength(0)
  })

  test('leaves the sandbox as it is', async () => {
    const scene = await makeWork()
    const before = git(scene.tree, 'status', '--porcelain=v2', '--branch')
    await diff(scene)
    expect(git(scene.tree, 'status', '--porcelain=v2', '--branch')).toBe(before)
  })
})
