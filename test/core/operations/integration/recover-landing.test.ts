import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { type Recovery, recoverLanding } from '../../../../src/core/operations/integration/recover-landing.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { commitAll, git, makeScratch } from '../../../support/git/repository.ts'
import { AS_SWEPT, sweptOf } from '../../../support/kills/sweep-steps.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

interface Kill {
  readonly step: string
  /** Milliseconds after the step was begun, wherever the process is by then; null: it stops before the step. */
  readonly late: number | null
  /** What recovery has to do; null: it depends on how far the process came. */
  readonly outcome: Recovery['outcome'] | null
}

const before = (outcome: Recovery['outcome'], ...steps: string[]): Kill[] =>
  steps.map((step) => ({ step, late: null, outcome }))
const after = (step: string, ...lates: number[]): Kill[] =>
  lates.map((late) => ({ step, late, outcome: null }))

/** Only moving the work tree takes long. */
const KILLS = [
  ...before('nothing', 'write the journal'),
  ...before('rolled_back', 'lock the index', 'move the work tree', 'move the branch'),
  ...before('rolled_forward', 'put the index in place', 'note where the branch stands', 'remove the journal'),
  ...after('move the work tree', 0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40),
  ...after('move the branch', 0, 1, 3),
]

test(`a SIGKILL at any moment leaves a branch and a tree that recovery makes agree (${AS_SWEPT})`, async () => {
  const scene = await makeSweep()
  const child = buildChild()
  const effects = { ...scene.repository.effects, clock: systemClock, processes: systemProcesses() }
  const repository = await openRepository(effects, scene.root)
  const { tree_path } = scene.worktree
  const tips = [git(tree_path, 'rev-parse', 'HEAD'), git(scene.tree, 'rev-parse', 'HEAD')] as const

  for (const [at, { step, late, outcome }] of sweptOf([...KILLS.entries()])) {
    const from = git(tree_path, 'rev-parse', 'HEAD')
    const range = [from, from === tips[0] ? tips[1] : tips[0]]
    const running = publish(scene, child, late === null ? [...range, step] : range)
    const closed = once(running, 'close')
    await untilStep(running, step)
    if (late !== null) await sleep(late)
    killTree(running, at % 2 === 0)
    await closed

    const recovery = await repository.locked(() => recoverLanding(repository, scene.worktree.worktree_id))

    if (outcome !== null) expect([step, recovery.outcome]).toEqual([step, outcome])
    expect(tips).toContain(git(tree_path, 'rev-parse', 'HEAD'))
    expectAgreement(scene)
  }
})

const EDITS = ' M person/edit\nA  person/staged\n?? person/loose\n'

/** Two tips that differ in many files of every kind, beside files that the person is editing. */
async function makeSweep(): Promise<Scene> {
  const files: Record<string, string> = { '.gitattributes': '*.crlf eol=crlf\n', 'person/edit': 'x\n' }
  for (let n = 0; n < 150; n++)
    files[`old/${n % 30}/${n}.${n % 5 === 0 ? 'crlf' : 'txt'}`] = `${n}\n`.repeat(40)
  const scene = await makeScene(files)
  shell(
    scene.tree,
    `for d in old/1 old/2 old/3; do rm -r $d; done; echo file > old/1
     for f in old/*/*; do echo more >> $f; done
     mkdir -p new/deep; for n in $(seq 80); do yes $n | head -200 > new/deep/$n.crlf; done
     ln -s target link; chmod +x old/4/4.txt; echo '*.txt -text' >> .gitattributes`,
  )
  commitAll(scene.tree, 'Much')
  shell(
    scene.worktree.tree_path,
    'echo edit >> person/edit; echo staged > person/staged; git add person/staged; echo loose > person/loose',
  )
  return scene
}

function expectAgreement({ worktree, repository, root }: Scene): void {
  const { tree_path, git_dir } = worktree
  expect(shell(tree_path, 'git status --porcelain')).toBe(EDITS)
  expect(readFileSync(join(tree_path, 'person/edit'), 'utf8')).toBe('x\nedit\n')
  expect(readdirSync(git_dir).filter((name) => /lock|agency/.test(name))).toEqual([])
  expect(existsSync(join(root, `.git/refs/heads/${worktree.branch}.lock`))).toBe(false)
  expect(isInterrupted(repository.paths)).toBe(false)
  expect(workTreeAs(tree_path)).toBe(git(tree_path, 'rev-parse', 'HEAD^{tree}'))
}

/** The files as a tree, without the person's edits. The index is new, so no recorded time hides a difference. */
function workTreeAs(path: string): string {
  const index = join(makeScratch(), 'index')
  const script =
    'git add -A -- . ; git rm -q --cached person/staged person/loose; git show HEAD:person/edit | git update-index --cacheinfo 100644,$(git hash-object -w --stdin),person/edit; git write-tree'
  return execFileSync('sh', ['-ec', script], {
    cwd: path,
    env: { ...process.env, GIT_INDEX_FILE: index },
    encoding: 'utf8',
  }).trim()
}

function buildChild(): string {
  const outfile = join(makeScratch(), 'publish-child.mjs')
  buildSync({
    entryPoints: ['test/support/kills/publish-child.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: "import{createRequire as bundledRequire}from'node:module';const require=bundledRequire(import.meta.url);const __filename=import.meta.filename;",
    },
  })
  return outfile
}

const publish = ({ repository, root }: Scene, child: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [child, repository.effects.dataDir, root, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Resolves when the process says this step, or when it ends. */
function untilStep(running: ChildProcess, step: string): Promise<void> {
  let said = ''
  return new Promise((resolve) => {
    running.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes(step)) resolve()
    })
    running.once('close', resolve)
  })
}

/** Kills the process together with its git, as a crash of the machine would, or alone, so that its git goes on. */
function killTree({ pid = 0 }: ChildProcess, all: boolean): void {
  const below = all ? childrenOf(pid) : []
  for (const id of [pid, ...below]) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

function childrenOf(pid: number): number[] {
  const own = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
    } catch {
      return false
    }
  })
  return own.flatMap((name) => [Number(name), ...childrenOf(Number(name))])
}
