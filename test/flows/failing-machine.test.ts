// What the machine refuses has a code of its own, leaves nothing half made, and loses nothing: few open files, small
// files, no hard links, and single calls that fail anywhere.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { execa } from 'execa'
import { afterAll, expect, test } from 'vitest'
import type { Diagnosis } from '../../src/core/facade/diagnosing.ts'
import { journalPath } from '../../src/core/store/interrupted.ts'
import { repoPaths } from '../../src/core/store/paths.ts'
import { compileFaults, FAULTS, FAULTY_CALLS, type Fault } from '../support/faults/faults.ts'
import { git } from '../support/git/repository.ts'
import { treeManifest } from '../support/git/tree-manifest.ts'
import { AS_SWEPT, SWEEP_SEED, sweptOf } from '../support/kills/sweep-steps.ts'
import { type Desk, makeDesk, PROGRAM, type Ran, shellAgent } from '../support/processes/cli.ts'
import { seededRandom } from '../support/run/seeded.ts'

/** Milliseconds. Many whole processes take long on a busy machine. */
const LONG = { timeout: 600_000 }

const faults = compileFaults()
afterAll(() => faults?.remove())
const NO_COMPILER = faults === null ? ' (skipped: this machine compiles no library to preload)' : ''

const WORK =
  'echo work >> a.txt; git commit -qam Work; echo new > new.txt; git add new.txt; echo more > m.txt'

interface Stage {
  readonly desk: Desk
  readonly id: string
  readonly tree: string
}

/** A worktree, and an agent in it that has ended and left work of every kind. */
async function makeStage(): Promise<Stage> {
  const desk = makeDesk({ 'a.txt': 'one\n' })
  await desk.worktree('base')
  const { invocation_id, sandbox_path } = await desk.start('base', WORK)
  await desk.run(['agent', 'wait', invocation_id])
  return { desk, id: invocation_id, tree: String(sandbox_path) }
}

/** The code of the refusal; null where there was none. Throws where the program itself failed. */
function codeOf(ran: Ran): string | null {
  const said = JSON.parse(ran.stdout === '' ? 'null' : ran.stdout)
  const code: unknown = said?.ok === true ? null : said?.error?.code
  if (code === undefined || code === 'E_INTERNAL' || ran.exitCode === 70 || ran.signal !== undefined) {
    throw new Error(`the program failed: ${JSON.stringify(ran)}`)
  }
  return code === null ? null : String(code)
}

async function limited(desk: Desk, limit: string, args: readonly string[]): Promise<Ran> {
  const { exitCode, signal, stdout, stderr } = await execa(
    '/bin/sh',
    ['-c', `ulimit ${limit}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args, '--json'],
    { cwd: desk.root, env: { ...desk.env }, reject: false, stdin: 'ignore' },
  )
  return { exitCode, signal, stdout: String(stdout), stderr: String(stderr) }
}

const boots = (limit: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `ulimit ${limit}; exec "$0" "$1" --version`, process.execPath, PROGRAM], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

/** After any failure: doctor has nothing more to mend, and what the agent made is where it was. */
async function expectWhole({ desk, tree }: Stage, before: unknown, where: string): Promise<void> {
  await desk.data('doctor', '--fix')
  const { findings } = await desk.data<Diagnosis>('doctor')
  expect(
    findings.filter(({ level }) => level === 'problem'),
    where,
  ).toEqual([])
  expect(existsSync(tree) ? treeManifest(tree) : 'gone', where).toEqual(before)
  expect(git(desk.root, 'fsck', '--no-dangling', '--no-reflogs'), where).toBe('')
}

/** Does the verb once more, which may have been done already, and takes it back. */
async function finishAndUndo({ desk }: Stage, args: readonly string[], where: string): Promise<void> {
  const again = codeOf(await desk.run([...args, '--json']))
  expect([null, 'E_INVOCATION_CLOSED', 'E_WORKTREE_NOT_FOUND', 'E_WORKTREE_ARCHIVED'], where).toContain(again)
  expect(codeOf(await desk.run(['undo', '--json'])), where).toBeNull()
}

test(
  `few open files, and few bytes in a file, are said by each verb, or it works (${AS_SWEPT})`,
  LONG,
  async () => {
    const stage = await makeStage()
    const { desk, id, tree } = stage
    const before = treeManifest(tree)
    const verbs = [
      ['worktree', 'create', '--name', 'other'],
      shellAgent('base', 'true'),
      ['checkpoint', 'create', id],
      ['doctor'],
      ['agent', 'ls'],
    ]
    const all = LIMITS.filter(boots).flatMap((limit) => verbs.map((args) => ({ limit, args })))
    for (const { limit, args } of sweptOf(all)) {
      const code = codeOf(await limited(desk, limit, args))
      expect([null, 'E_TOO_MANY_FILES', 'E_FILE_SYSTEM_LIMIT', 'E_NAME_TAKEN']).toContain(code)
    }
    await expectWhole(stage, before, 'after limits')
  },
)

/** Files; and blocks of a kilobyte or half of one. */
const LIMITS = ['-n 20', '-n 22', '-n 24', '-n 28', '-f 0', '-f 1']

test('where nothing can be written, whoever reads is answered, also beside an interrupted landing', async () => {
  const desk = makeDesk()
  const { worktree_id, repo_id } = await desk.worktree('base')
  const { invocation_id: id } = await desk.start('base', 'true')
  await desk.run(['agent', 'wait', id])
  const journal = journalPath(repoPaths(desk.dataDir, repo_id), 'landing', worktree_id)
  mkdirSync(dirname(journal), { recursive: true })
  writeFileSync(journal, '{}')
  for (const args of [['agent', 'ls'], ['agent', 'show', id], ['worktree', 'ls'], ['log']]) {
    expect(codeOf(await limited(desk, '-f 0', args)), args.join(' ')).toBeNull()
  }
  expect(codeOf(await limited(desk, '-f 0', ['undo']))).toBe('E_FILE_SYSTEM_LIMIT')
})

test.runIf(faults !== null)(
  `without hard links everything works as with them, whatever the file system says of them (${AS_SWEPT})${NO_COMPILER}`,
  LONG,
  async () => {
    const stage = await makeStage()
    const { desk, id, tree } = stage
    const before = treeManifest(tree)
    for (const errno of sweptOf(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'] as const)) {
      const env = faults?.env({ call: 'link', errno, below: desk.scratch, nth: 0 }) ?? {}
      const run = async (...args: string[]) => codeOf(await desk.run([...args, '--json'], { env }))
      const name = errno.toLowerCase()
      expect(await run('worktree', 'create', '--name', name)).toBeNull()
      expect(await run('agent', 'land', id, '--apply')).toBeNull()
      expect(await run('undo')).toBeNull()
      expect(await run('worktree', 'rm', name)).toBeNull()
      expect(faults?.counted()).toBeGreaterThan(0)
    }
    await expectWhole(stage, before, 'without links')
    const left = execFileSync('find', [desk.scratch, '-name', 'claim', '-o', '-name', 'index.lock'])
    expect(left.toString()).toBe('')
  },
)

const CASES = FAULTY_CALLS.flatMap((call) =>
  FAULTS.flatMap((errno) =>
    ['land', 'discard', 'rm', 'checkpoint', 'start'].map((verb) => ({ call, errno, verb })),
  ),
)

test.runIf(faults !== null)(
  `one call that fails anywhere has a code, leaves nothing half made and loses nothing (${AS_SWEPT})${NO_COMPILER}`,
  LONG,
  async () => {
    const random = seededRandom(SWEEP_SEED)
    const stage = await makeStage()
    const { desk, id, tree } = stage
    const before = treeManifest(tree)
    const verbs: Record<string, readonly string[]> = {
      land: ['agent', 'land', id, '--apply'],
      discard: ['agent', 'discard', id],
      rm: ['worktree', 'rm', 'base', '--force'],
      checkpoint: ['checkpoint', 'create', id],
      start: shellAgent('base', 'true'),
    }
    const share = (process.env['SWEEPS'] === 'whole' ? 15 : 5) / CASES.length
    for (const { call, errno, verb } of CASES.filter(() => random() < share)) {
      const args = verbs[verb] ?? []
      const fault: Fault = { call, errno, below: desk.scratch, nth: 1 + Math.floor(random() ** 2 * MOST) }
      const where = `${AS_SWEPT} ${verb} ${JSON.stringify(fault)}`
      const ran = await desk.run([...args, '--json'], { env: faults?.env(fault) ?? {} })
      codeOf(ran)
      await desk.data('doctor', '--fix')
      if (verb !== 'checkpoint' && verb !== 'start') await finishAndUndo(stage, args, where)
      await expectWhole(stage, before, where)
    }
  },
)

/** About as many calls of a kind as a verb has. */
const MOST = 60
