// What an agent or a person put in the place of a tree is not ours: doctor writes nothing to it and nothing through it, and
// what had been there is not touched either.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { lstatIfThere } from '../../../../src/core/doors/system/files.ts'
import { INTEGRATION_MARKER, MARKER_DIR, SANDBOX_MARKER } from '../../../../src/core/model/markers.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { readWorktree } from '../../../../src/core/store/worktrees.ts'
import { git, makeRepository, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { sampledOf } from '../../../support/run/sampled.ts'
import { makeScene, type Scene } from '../../../support/scene/sandbox.ts'

/** A directory of the person's, with what our directories have in them. */
function makePrecious(): string {
  const precious = join(makeScratch(), 'precious')
  writeFiles(precious, { mine: 'mine\n', '.agency/mine': 'mine\n', 'a.json.1': 'old\n' })
  return precious
}

/** Also what is in `.agency`. */
const namesIn = (dir: string): string[] => readdirSync(dir, { recursive: true }).map(String).sort()

/** Puts something in the place of a path, and what had been there beside it. */
type Replace = (path: string, precious: string) => void

const aside = (path: string): string => join(dirname(path), `moved ${basename(path)}`)
const replaceBy =
  (put: Replace): Replace =>
  (path, precious) => {
    renameSync(path, aside(path))
    put(path, precious)
  }

const TAKEN: readonly [string, Replace][] = [
  ['a link to a directory of the person’s', replaceBy((path, precious) => symlinkSync(precious, path))],
  ['a link to where it was moved', replaceBy((path) => symlinkSync(aside(path), path))],
  ['a link that leads nowhere', replaceBy((path) => symlinkSync('/nowhere at all', path))],
  ['a link to itself', replaceBy((path) => symlinkSync(path, path))],
  ['a file', replaceBy((path) => writeFileSync(path, 'a file\n'))],
  [
    'a link above it',
    (path) => {
      const above = dirname(path)
      renameSync(above, `${above} moved`)
      symlinkSync(`${above} moved`, above)
    },
  ],
]

/** Another directory, as its `.git` shows. */
const FOREIGN: readonly [string, Replace][] = [
  ['an empty directory', replaceBy((path) => mkdirSync(path))],
  ['a directory with another repository', replaceBy((path) => void makeRepository(path))],
  [
    'a directory whose .git is a link',
    replaceBy((path) => {
      mkdirSync(path)
      symlinkSync(join(aside(path), '.git'), join(path, '.git'))
    }),
  ],
]

async function fixAll({ repository }: Scene): Promise<readonly string[]> {
  const { fixed } = await diagnose(repository, { fix: true })
  await collectGarbage(repository, { keep_days: 0, dry_run: false })
  return fixed
}

describe('in the place of a worktree’s directory', () => {
  test.each(sampledOf(TAKEN))(
    '%s: doctor archives the worktree and leaves alone what is there',
    async (_, replace) => {
      const scene = await makeScene()
      const { repository, worktree, root } = scene
      const precious = makePrecious()
      writeFiles(worktree.tree_path, { edited: 'by the person\n' })
      rmSync(join(worktree.tree_path, INTEGRATION_MARKER))
      const [before, hers] = [namesIn(worktree.tree_path), namesIn(precious)]
      replace(worktree.tree_path, precious)
      const where = [aside(worktree.tree_path), join(`${dirname(worktree.tree_path)} moved`, 'tree')].find(
        existsSync,
      )
      await fixAll(scene)
      expect(namesIn(precious)).toEqual(hers)
      expect(namesIn(where ?? '')).toEqual(before)
      expect(readWorktree(repository.paths, worktree.worktree_id).state).toBe('archived')
      expect(git(root, 'rev-parse', `refs/heads/${worktree.branch}`)).toBe(worktree.known_head)
    },
  )

  test.each(sampledOf(FOREIGN))('%s: doctor says so, and writes nothing to it', async (_, replace) => {
    const scene = await makeScene()
    const { repository, worktree } = scene
    replace(worktree.tree_path, makePrecious())
    const before = namesIn(worktree.tree_path)
    const { findings } = await diagnose(repository, { fix: true })
    expect(findings.filter(({ level }) => level === 'problem').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('does not lead to its git directory'),
    )
    expect(namesIn(worktree.tree_path)).toEqual(before)
  })
})

describe('in the place of a sandbox', () => {
  test.each(sampledOf(TAKEN))(
    '%s: doctor closes it as discarded and leaves alone what is there',
    async (_, replace) => {
      const scene = await makeScene()
      const { repository, record, tree } = scene
      const precious = makePrecious()
      writeFiles(tree, { made: 'by the agent\n' })
      const [before, hers] = [namesIn(tree), namesIn(precious)]
      replace(tree, precious)
      const where = [aside(tree), join(`${dirname(tree)} moved`, 'tree')].find(existsSync)
      await fixAll(scene)
      expect(namesIn(precious)).toEqual(hers)
      expect(namesIn(where ?? '')).toEqual(before)
      expect(readInvocation(repository.paths, record.invocation_id).landing_status).toBe('discarded')
    },
  )
})

test('a directory that is ours and lost its marker gets it again', async () => {
  const { repository, worktree, tree } = await makeScene()
  const marks = [join(worktree.tree_path, INTEGRATION_MARKER), join(tree, SANDBOX_MARKER)]
  for (const mark of marks) rmSync(mark)
  await diagnose(repository, { fix: true })
  expect(marks.map((mark) => existsSync(mark))).toEqual([true, true])
})

describe.each([
  ['a file in the place of .agency', MARKER_DIR, 'echo garbage >'],
  ['a link in the place of .agency', MARKER_DIR, 'ln -s /nowhere'],
  ['a pipe in the place of .agency', MARKER_DIR, 'mkfifo'],
  ['a directory in the place of the marker', null, 'mkdir'],
])('what keeps the marker from being written again: %s', (_, dir, plant) => {
  it('stays as it is and is named, with what to type, after which the marker comes back', async () => {
    const { repository, worktree, tree } = await makeScene()
    const marks = [join(worktree.tree_path, INTEGRATION_MARKER), join(tree, SANDBOX_MARKER)]
    const odd = marks.map((mark) => (dir === null ? mark : dirname(mark)))
    for (const path of odd) execFileSync('sh', ['-c', `rm -rf "$0"; ${plant} "$0"`, path])
    const { findings, fixed } = await diagnose(repository, { fix: true })
    const lost = findings.filter(({ message }) => message.includes('has lost its marker'))
    expect(lost.map(({ fixable }) => fixable)).toEqual([false, false])
    expect(fixed).toEqual([])
    for (const { remedy } of lost) {
      const [move = 'false'] = /mv '.*' '.*'/.exec(remedy ?? '') ?? []
      execFileSync('sh', ['-c', move])
    }
    expect(odd.map((path) => lstatIfThere(`${path}.odd`) !== null)).toEqual([true, true])
    await diagnose(repository, { fix: true })
    expect(marks.map((mark) => existsSync(mark))).toEqual([true, true])
  })
})

test('directories of ours that an agent replaced by links are not looked through for what kills left', async () => {
  const scene = await makeScene()
  const { repository } = scene
  const precious = makePrecious()
  writeFiles(precious, { 'x/meta.json.7': 'draft\n', 'turn.lock.9': 'x\n' })
  for (const name of ['a.json.1', 'x/meta.json.7']) utimesSync(join(precious, name), 0, 0)
  const before = namesIn(precious)
  for (const dir of [repository.paths.trashDir, repository.paths.worktreesDir]) {
    if (existsSync(dir)) renameSync(dir, `${dir} moved`)
    symlinkSync(precious, dir)
  }
  await fixAll(scene).catch(() => [])
  expect(namesIn(precious)).toEqual(before)
})
