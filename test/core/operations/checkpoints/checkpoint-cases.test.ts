// The nasty cases of checkpoints, restores, landings and creation, by their numbers, all through the facade. What else
// each verb promises has tests of its own.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import type { Checkpoint } from '../../../../src/core/model/checkpoint.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { AS_SWEPT, sweepSteps } from '../../../support/kills/sweep-steps.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { sample } from '../../../support/run/sampled.ts'
import { waitUntil } from '../../../support/run/wait.ts'
import { fileIn, filesIn } from '../../../support/scene/checkpoints.ts'
import { type FacadeScene, makeFacadeScene } from '../../../support/scene/facade.ts'
import { namesBeside, SHARES_REPOSITORY, shell } from '../../../support/scene/sandbox.ts'

const program = await bundleProgram('test/support/kills/verb-process.ts')
const cli = join(import.meta.dirname, '../../../../dist/agency.js')

const REAL_TIME = { clock: systemClock }
const locksIn = ({ record }: FacadeScene): string[] =>
  readdirSync(showPath(record.git_dir)).filter((name) => name.endsWith('.lock'))

/**
 * Takes checkpoints for as long as the script runs, which goes on until there is a file at $ENOUGH: made once two
 * checkpoints were taken beside it. Returns the script's exit code and its errors.
 */
async function takeTwoBeside(scene: FacadeScene, script: string) {
  const enough = join(scene.repository.effects.dataDir, 'enough')
  const env = { ...process.env, ENOUGH: enough }
  const agent = spawn('sh', ['-ec', script], { cwd: scene.tree, stdio: ['ignore', 'ignore', 'pipe'], env })
  const said = text(agent.stderr)
  let taken = 0
  while (agent.exitCode === null) {
    const took = await Promise.allSettled([scene.take()])
    taken += took[0].status === 'fulfilled' ? 1 : 0
    if (taken === 2) writeFileSync(enough, '')
  }
  return { code: agent.exitCode, said: await said }
}

/** Kills the verb at its n-th step. False if it has fewer steps, and so came to its end. */
function killAt({ repository, root }: FacadeScene, [verb, id]: [string, string], step: number): boolean {
  const args = [program, repository.effects.dataDir, root, verb, id, String(step)]
  const { signal, status, stderr } = spawnSync('node', args, { encoding: 'utf8' })
  if (signal === null && status !== 0) throw new Error(stderr)
  return signal === 'SIGKILL'
}

describe('checkpoints', () => {
  test('1. Trap-1 edit → snapshot has new bytes', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(scene.tree, 'echo aa > a; git add a; echo bb > a')
    const edited = Date.now()
    await waitUntil(() => Date.now() > edited + 1000)
    expect(fileIn(scene, await scene.take(), 'a')).toBe('bb')
  })

  test('2. Agent commit loop during checkpoints → zero agent failures', async () => {
    const scene = await makeFacadeScene({ a: '0\n' }, REAL_TIME)
    const commit = 'echo $n > a; git add a; git -c user.name=A -c user.email=a@b commit -qm $n'
    const loop = `n=0; until [ $n -ge 25 ] && [ -e "$ENOUGH" ]; do n=$((n + 1)); ${commit}; done; echo $n > last`
    const { code, said } = await takeTwoBeside(scene, loop)
    expect({ code, said }).toEqual({ code: 0, said: '' })
    const last = readFileSync(join(scene.tree, 'last'), 'utf8').trim()
    expect(git(scene.tree, 'log', '-1', '--format=%s')).toBe(last)
  })

  test('3. Temp-file churn and truncation → eventual snapshot, no stale lock', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' }, REAL_TIME)
    const rewrite = 'echo $n > t$n; rm t$n; head -c 200000 /dev/zero > big; : > big'
    const churn = `n=0; until [ $n -ge 300 ] && [ -e "$ENOUGH" ]; do n=$((n + 1)); ${rewrite}; done; echo end > big`
    expect((await takeTwoBeside(scene, churn)).code).toBe(0)
    expect(fileIn(scene, await scene.take(), 'big')).toBe('end')
    expect(locksIn(scene)).toEqual([])
    expect(namesBeside(scene.tree)).toEqual(['checkpoints.json', 'logs', 'tree'])
  })

  test.skipIf(spawnSync('unshare', ['-U', 'true']).status !== 0)(
    '4. Unreadable+fifo+commitless repo → snapshot of the rest, all listed',
    async () => {
      const scene = await makeFacadeScene({ a: 'a\n' })
      shell(
        scene.tree,
        'echo b > b; echo x > closed; chmod 0 closed; mkfifo pipe; git init -q nested; echo x > nested/x',
      )
      // In a user namespace without a map nobody has privileges, not even root, so `closed` cannot be read.
      const args = ['-U', process.execPath, cli, 'checkpoint', 'create', scene.id, '--json']
      const env = { ...process.env, AGENCY_DATA_DIR: scene.repository.effects.dataDir }
      const ran = spawnSync('unshare', args, { cwd: scene.root, encoding: 'utf8', env })
      const { checkpoint }: { checkpoint: Checkpoint } = JSON.parse(ran.stdout).data
      expect(checkpoint.incomplete.toSorted()).toEqual(['closed', 'nested', 'pipe'])
      expect(filesIn(scene, checkpoint)).toEqual(['a', 'b'])
    },
  )

  test('5. `.env` + `foo.environment` → only `.env` absent', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(
      scene.tree,
      'mkdir d; for f in .env d/.env foo.environment foo.environment.ts monkey.keyboard.ts; do echo x > $f; done',
    )
    const checkpoint = await scene.take()
    expect(checkpoint.excluded.toSorted()).toEqual(['.env', 'd/.env'])
    expect(filesIn(scene, checkpoint)).toEqual([
      'a',
      'foo.environment',
      'foo.environment.ts',
      'monkey.keyboard.ts',
    ])
  })

  test('6. Mid-rebase conflict → markers captured; real index still unmerged', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(
      scene.tree,
      'git checkout -q -b other; echo o > a; git commit -qam o; git checkout -q -; echo m > a; git commit -qam m; ! git rebase other',
    )
    const checkpoint = await scene.take()
    expect(fileIn(scene, checkpoint, 'a')).toMatch(/^<{7}[\s\S]*={7}[\s\S]*>{7}/)
    expect(git(scene.tree, 'status', '--short')).toBe('UU a')
    shell(scene.tree, 'echo done > a; git add a; GIT_EDITOR=true git rebase --continue')
  })

  test('7. Unborn HEAD, no identity, gpgsign=true → snapshot succeeds', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(
      scene.root,
      'git config --unset user.name; git config --unset user.email; git config commit.gpgsign true',
    )
    shell(scene.tree, 'git checkout -q --orphan fresh; echo b > a')
    const checkpoint = await scene.take()
    expect(checkpoint.head_sha).toBeNull()
    expect(fileIn(scene, checkpoint, 'a')).toBe('b')
  })

  sample(test).each([
    [
      'a submodule',
      'git init -q ../sub; git -C ../sub commit -q --allow-empty -m s; git -c protocol.file.allow=always submodule --quiet add ../sub mod; echo d > mod/d',
      ['mod'],
    ],
    [
      'a nested repository with commits',
      'git init -q nest; git -C nest commit -q --allow-empty -m n; echo x > nest/x',
      ['nest'],
    ],
    [
      'a socket',
      "node -e \"require('net').createServer().listen('sock',()=>process.kill(process.pid,9))\" || true",
      ['sock'],
    ],
    ['a sparse checkout', 'git sparse-checkout set --no-cone /a; mkdir -p d; echo outside > d/x', []],
  ])('%s: a checkpoint is taken, what git cannot hold is named', async (_what, script, incomplete) => {
    const scene = await makeFacadeScene({ a: 'a\n', 'd/b': 'b\n' })
    shell(scene.tree, `${script}; echo n > n`)
    const checkpoint = await scene.take()
    expect(checkpoint.incomplete).toEqual(incomplete)
    expect(filesIn(scene, checkpoint)).toEqual(expect.arrayContaining(['a', 'd/b', 'n']))
  })

  test('a file of 2 GB is over the limit: named, not read', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(scene.tree, 'truncate -s 2G big; echo n > n')
    const checkpoint = await scene.take()
    expect(checkpoint.excluded).toEqual(['big'])
    expect(filesIn(scene, checkpoint)).toEqual(['a', 'n'])
  })
})

describe('restores', () => {
  test('8. Newline, dash, invalid-UTF-8, symlink↔dir swaps → byte-exact rollback', async () => {
    const scene = await makeFacadeScene({ 'd/a': 'a\n', f: 'f\n' })
    shell(
      scene.tree,
      `echo 1 > ./-rf; echo 2 > "$(printf 'n\\nl')"; echo 3 > "$(printf 'caf\\351')"; ln -s d s; mkdir e; echo e > e/e`,
    )
    const moment = treeManifest(scene.tree)
    const checkpoint = await scene.take()
    shell(
      scene.tree,
      'rm -r ./-rf d f s e; ln -s /tmp d; mkdir f s; echo x > f/x; echo y > s/y; echo e > e; git add -A',
    )
    await scene.restore(checkpoint)
    expect(treeManifest(scene.tree)).toEqual(moment)
  })

  test('9. Detached agent, later commits → branch, HEAD restored; safety ref exists', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    const checkpoint = await scene.take()
    const [head, branch] = [git(scene.tree, 'rev-parse', 'HEAD'), git(scene.tree, 'symbolic-ref', 'HEAD')]
    shell(
      scene.tree,
      'echo b > a; git commit -qam b; git checkout -q --detach; echo c > a; git commit -qam c',
    )
    const later = git(scene.tree, 'rev-parse', 'HEAD')
    const { safety } = await scene.agency.restoreCheckpoint(scene.id, checkpoint.id)
    expect(git(scene.tree, 'symbolic-ref', 'HEAD')).toBe(branch)
    expect(git(scene.tree, 'rev-parse', 'HEAD')).toBe(head)
    expect(git(scene.root, 'rev-list', safety.snapshot_ref).split('\n')).toContain(later)
  })

  test('10. `.gitignore` edit + `.env`, rollback → `.env` survives', async () => {
    const scene = await makeFacadeScene({ a: 'a\n', '.gitignore': '' })
    const checkpoint = await scene.take()
    shell(scene.tree, 'echo .env > .gitignore; echo KEY=1 > .env; echo b > a')
    await scene.restore(checkpoint)
    expect(treeManifest(scene.tree)).toEqual({ a: 'file a\n', '.gitignore': 'file ', '.env': 'file KEY=1\n' })
  })

  test('11. Marker survives rollback; never lands', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    const checkpoint = await scene.take()
    shell(scene.tree, 'echo b > a; git add -A; git commit -qm b')
    await scene.restore(checkpoint)
    expect(readdirSync(join(scene.tree, '.agency'))).toContain('SANDBOX_MARKER')
    shell(scene.tree, 'echo c > a; git add -A; git add -f .agency')
    expect(filesIn(scene, await scene.take())).toEqual(['a'])
    await scene.agency.landInvocation(scene.id, { apply: true })
    expect(git(scene.worktree.tree_path, 'ls-files')).toBe('a')
  })
})

describe('landings and creation', () => {
  test('12. Merge+empty+duplicate range → lands; skips reported', async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    shell(
      scene.tree,
      'git commit -q --allow-empty -m empty; echo s > s; git add s; git commit -qm same; echo n > n; git add n; git commit -qm new',
    )
    shell(scene.worktree.tree_path, 'echo s > s; git add s; git commit -qm same')
    const { landed, skipped } = await scene.agency.landInvocation(scene.id)
    expect([landed.length, skipped.length]).toEqual([1, 2])
    const merging = await makeFacadeScene({ a: 'a\n' })
    shell(
      merging.tree,
      'git checkout -q -b side; echo s > s; git add s; git commit -qm s; git checkout -q -; echo m > m; git add m; git commit -qm m; git merge -q --no-edit side',
    )
    shell(merging.worktree.tree_path, 'echo p > p; git add p; git commit -qm p')
    expect(await merging.agency.landInvocation(merging.id)).toMatchObject({ manner: 'squash' })
    expect(git(merging.worktree.tree_path, 'ls-files').split('\n')).toEqual(['a', 'm', 'p', 's'])
  })

  test('13. Conflict with user dirt → bytes, index, HEAD unchanged', async () => {
    const scene = await makeFacadeScene({ a: 'a\n', b: 'b\n' })
    shell(scene.tree, 'echo theirs > a; git commit -qam a')
    const { tree_path } = scene.worktree
    shell(tree_path, 'echo mine > a; echo staged > b; git add b; echo dirt > d')
    const picture = () => [
      treeManifest(tree_path),
      git(tree_path, 'ls-files', '-s'),
      git(tree_path, 'rev-parse', 'HEAD'),
    ]
    const before = picture()
    await expect(scene.agency.landInvocation(scene.id)).rejects.toMatchObject({ code: 'E_WOULD_OVERWRITE' })
    expect(picture()).toEqual(before)
  })

  test(`14. SIGKILL anywhere in landing → recovers old or new; user dirt intact (${AS_SWEPT})`, async () => {
    for (const step of sweepSteps()) {
      const scene = await makeFacadeScene({ a: 'a\n', b: 'b\n' })
      const { tree_path } = scene.worktree
      shell(scene.tree, 'echo theirs > a; git commit -qam a')
      shell(tree_path, 'echo staged > b; git add b; echo dirt > d')
      const killed = killAt(scene, ['land', scene.id], step)
      await scene.agency.listInvocations()
      const a = readFileSync(join(tree_path, 'a'), 'utf8')
      expect(['a\n', 'theirs\n']).toContain(a)
      expect(git(tree_path, 'show', 'HEAD:a')).toBe(a.trim())
      expect(git(tree_path, 'status', '--short')).toBe('M  b\n?? d')
      if (!killed) break
    }
  })

  test(`15. SIGKILL during creation → retry works; no branch, lock or child left (${AS_SWEPT})`, async () => {
    const scene = await makeFacadeScene({ a: 'a\n' })
    let made = 0
    for (const step of sweepSteps()) {
      const name = `again${step}`
      if (!killAt(scene, ['create', name], step)) break
      made += 1
      // A verb that was killed while it wrote files leaves a worktree without them. A person removes that.
      await scene.agency.removeWorktree(name, { force: true }).catch(() => {})
      const { tree_path } = await scene.agency.createWorktree({ name })
      expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('a\n')
      await scene.agency.collectGarbage()
      const known = (await scene.agency.listWorktrees({ all: true })).map(({ record }) => record.branch)
      const branches = git(scene.root, 'branch', '--list', '--format=%(refname:short)', `agency/${name}-*`)
      expect(branches.split('\n').filter((branch) => !known.includes(branch))).toEqual([])
      const paths = git(scene.root, 'worktree', 'list', '--porcelain').match(/^worktree .*$/gm)
      expect(paths).toHaveLength(2 + made + (SHARES_REPOSITORY ? 1 : 0))
      expect(existsSync(scene.repository.paths.lock)).toBe(false)
    }
  })
})
