import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import {
  type Checkpointer,
  openCheckpointer,
  type TakenCheckpoint,
} from '../../../../src/core/operations/checkpoints/checkpointer.ts'
import { leaveOutOf } from '../../../../src/core/operations/checkpoints/take-checkpoint.ts'
import { applyEdit, edits } from '../../../support/git/random-edits.ts'
import { git } from '../../../support/git/repository.ts'
import { changedBetween, lookAround } from '../../../support/git/seen-changes.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { sample } from '../../../support/run/sampled.ts'
import { fileIn, filesIn, taken } from '../../../support/scene/checkpoints.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const SETTINGS = { ...checkpointSettings(undefined), max_file_size: 1000 }

interface Pace {
  readonly scene: Scene
  readonly checkpointer: Checkpointer
}

async function begin(files: Readonly<Record<string, string>>): Promise<Pace> {
  const scene = await makeScene(files)
  const checkpointer = openCheckpointer(scene.repository, scene.record)
  await checkpointer.take({ reason: 'asked', settings: SETTINGS, paths: null })
  return { scene, checkpointer }
}

/** Runs a script in the sandbox, and takes a checkpoint of the paths that it changed. */
async function after({ scene, checkpointer }: Pace, script: string): Promise<TakenCheckpoint> {
  const before = lookAround(scene.tree)
  shell(scene.tree, script)
  const paths = changedBetween(before, lookAround(scene.tree))
  return checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths })
}

const scanned = ({ scene: { repository, record } }: Pace) =>
  openChangeset(repository, record).capture(leaveOutOf(record, SETTINGS))

async function expectAsByScan(pace: Pace, { checkpoint }: TakenCheckpoint): Promise<void> {
  const { state_tree, excluded, verbatim } = await scanned(pace)
  expect(checkpoint).toMatchObject({ tree: state_tree, excluded })
  expect(checkpoint?.verbatim_tree).toBe(verbatim?.tree)
}

sample(test).each([
  ['an edit', 'echo b >> a'],
  ['a new file in new directories', 'mkdir -p n/e/w; echo x > n/e/w/x'],
  ['a deletion', 'rm d/x'],
  ['a directory deleted', 'rm -r d'],
  ['a directory moved', 'mv d moved'],
  ['a file in place of a directory', 'rm -r d; echo x > d'],
  ['a directory in place of a file', 'rm a; mkdir a; echo x > a/a'],
  ['a link in place of a directory', 'rm -r d; ln -s /tmp d'],
  ['a directory in place of a link', 'rm link; mkdir link; echo x > link/x'],
  ['a link that points elsewhere', 'ln -sfn d link'],
  ['a mode', 'chmod +x a'],
  [
    'names out of the ordinary',
    "echo x > ':(top)'; echo x > '*'; echo x > -rf; echo x > 'a\"b\\c'; echo x > \"$(printf 'n\\nl')\"; echo x > ü",
  ],
  ['an ignored file beside another', 'echo x > x.log; echo y > y'],
  ['an ignored file that is tracked', 'echo more >> kept.log'],
  ['a secret beside another file', 'echo K > .env; echo y > y'],
  ['a secret that HEAD has', 'echo more >> old.key'],
  ['a large file beside another', 'head -c 2000 /dev/zero > large; echo y > y'],
  ['an empty file', ': > empty'],
  ['an edit after the agent looked at its status', 'touch a; git status; echo b >> a'],
])('by paths: %s', async (_name, script) => {
  const pace = await begin({
    a: 'a\n',
    'd/x': 'x\n',
    'd/y': 'y\n',
    '.gitignore': '*.log\n',
    'old.key': 'K\n',
  })
  shell(pace.scene.tree, 'ln -s a link; echo k > kept.log; git add -f kept.log link; git commit -qm kept')
  await pace.checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths: null })
  const made = await after(pace, script)
  expect(made.by).toBe('paths')
  await expectAsByScan(pace, made)
})

sample(test).each([
  ['a commit', 'echo b >> a; git commit -qam b'],
  ['something staged', 'echo n > n; git add n'],
  ['a changed .gitignore', 'echo a.txt >> .gitignore; echo x > n'],
  ['a filter', 'echo "*.f filter=none" > .gitattributes; echo x > x.f'],
  ['a new repository', 'git init -q nested; echo x > nested/x; echo y > y'],
  ['a pipe', 'mkfifo pipe; echo y > y'],
  ['a directory that became a repository', 'git -C d init -q; echo more > d/x'],
  [
    'a conflict',
    'echo b > a; git commit -qam b; git checkout -q HEAD^; echo c > a; git commit -qam c; git merge - || true',
  ],
  ['a sparse checkout', 'git sparse-checkout set --no-cone /a; echo b > a'],
  ['a file announced', 'echo n > n; git add -N n'],
  ['a large file that HEAD has', 'echo more >> big'],
  [
    "the person's own rules",
    'mkdir -p "$XDG_CONFIG_HOME/git"; date +%N >> "$XDG_CONFIG_HOME/git/ignore"; echo y > y',
  ],
])('by a look at the whole tree: %s', async (_name, script) => {
  const pace = await begin({ a: 'a\n', 'd/x': 'x\n', '.gitignore': '*.log\n', big: 'x'.repeat(2000) })
  const made = await after(pace, script)
  expect(made.by).toBe('scan')
  await expectAsByScan(pace, made)
})

test('what is touched and not changed, ignored or a known secret makes no checkpoint', async () => {
  const pace = await begin({ a: 'a\n', '.gitignore': '*.log\n' })
  await after(pace, 'echo K > .env; echo n > n')
  for (const script of ['touch a', 'echo x > x.log', 'echo L > .env', 'mkdir empty', 'echo m > m; rm m']) {
    expect(await after(pace, script)).toMatchObject({ checkpoint: null, by: 'paths' })
  }
})

test('files with attributes for line ends go by paths as long as there is nothing to convert', async () => {
  const pace = await begin({ a: 'a\n', '.gitattributes': '* text=auto\n' })
  const plain = await after(pace, 'echo b > b')
  expect(plain.by).toBe('paths')
  const converted = await after(pace, "printf 'a\\r\\n' > c")
  expect(converted.by).toBe('scan')
  await expectAsByScan(pace, converted)
})

test('a filter that the person has for all trees is asked about', async () => {
  const pace = await begin({ a: 'a\n' })
  const everywhere = join(process.env['XDG_CONFIG_HOME'] ?? '', 'git', 'attributes')
  mkdirSync(dirname(everywhere), { recursive: true })
  writeFileSync(everywhere, 'a filter=none\n')
  const made = await after(pace, 'echo b >> a')
  rmSync(everywhere)
  expect(made.by).toBe('scan')
})

test('paths, commit and record are as those of a look at the whole tree', async () => {
  const pace = await begin({ a: 'a\n' })
  shell(pace.scene.tree, 'echo s > s; git add s')
  await pace.checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths: null })
  const { checkpoint } = await after(pace, 'echo b > b; echo K > .env')
  expect(checkpoint).toMatchObject({ id: 3, parent: 2, diffstat: '+1 -0 in 1 file', excluded: ['.env'] })
  if (checkpoint === null) return
  expect(filesIn(pace.scene, checkpoint)).toEqual(['a', 'b', 's'])
  expect(fileIn(pace.scene, checkpoint, 'b')).toBe('b')
  const message = (ref: string): string => git(pace.scene.root, 'log', '-1', '--format=%B', ref)
  expect(message(checkpoint.snapshot_ref)).toContain('"index_tree": "')
  expect(git(pace.scene.root, 'fsck', '--no-dangling', '--strict')).toBe('')
})

test('one that somebody else took in between is the one before', async () => {
  const pace = await begin({ a: 'a\n' })
  const before = lookAround(pace.scene.tree)
  shell(pace.scene.tree, 'echo b > b')
  const other = await taken(pace.scene, 'asked')
  shell(pace.scene.tree, 'echo c > c')
  const paths = changedBetween(before, lookAround(pace.scene.tree))
  const made = await pace.checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths })
  expect(made.checkpoint).toMatchObject({ id: 3, parent: other.id })
  await expectAsByScan(pace, made)
})

test('git gc --prune=now between them loses nothing', async () => {
  const pace = await begin({ a: 'a\n' })
  shell(pace.scene.tree, 'echo s > s; git add s')
  await pace.checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths: null })
  for (const round of [1, 2, 3]) {
    git(pace.scene.root, 'gc', '-q', '--prune=now')
    const made = await after(pace, `echo ${round} > file-${round}`)
    await expectAsByScan(pace, made)
  }
  expect(git(pace.scene.root, 'fsck', '--no-dangling')).toBe('')
})

test('a change that nobody told of is found by the next look, and named', async () => {
  const { scene, checkpointer } = await begin({ a: 'a\n', b: 'b\n' })
  appendFileSync(join(scene.tree, 'a'), 'more\n')
  chmodSync(join(scene.tree, 'b'), 0o755)
  const made = await checkpointer.take({ reason: 'interval', settings: SETTINGS, paths: null })
  expect(made.by).toBe('scan')
  expect(await made.differing()).toEqual(['a', 'b'])
})

const RUNS = Number(process.env['LONG_TEST_RUNS'] ?? sweptRounds(12))

const SEED = Number(process.env['SEED'] ?? 20260128)

test(
  `by paths it is what the whole tree is, over ${RUNS} random sequences of edits (seed ${SEED})`,
  async () => {
    const tally = { paths: 0, scan: 0 }
    const steps = fc.array(edits, { minLength: 3, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const pace = await begin({
          a: 'a\n',
          b: 'b\n',
          'd/a': 'da\n',
          'src/x.ts': 'x\n',
          '.gitignore': '*.log\n',
        })
        for (const step of sequence) {
          const before = lookAround(pace.scene.tree)
          for (const edit of step.slice(0, 4)) applyEdit(pace.scene.tree, edit)
          const paths = changedBetween(before, lookAround(pace.scene.tree))
          const made = await pace.checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths })
          tally[made.by] += 1
          const { state_tree } = await scanned(pace)
          const list = made.checkpoint?.tree ?? (await latestTree(pace))
          expect(list).toBe(state_tree)
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    )
    expect(tally.paths).toBeGreaterThan(0)
  },
  180_000 + RUNS * 5_000,
)

const latestTree = async ({ scene }: Pace): Promise<string> => {
  const refs = git(
    scene.root,
    'for-each-ref',
    '--sort=-version:refname',
    '--format=%(tree)',
    `refs/agency/snapshots/${scene.record.invocation_id}`,
  )
  return refs.split('\n')[0] ?? ''
}
