// An agent may put a pipe, a link, a device, a directory or a terabyte of nothing in the place of any file that we or git
// read. Nothing waits for it: whoever reads there says what it is, and every other sandbox goes on.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import type { Diagnosis } from '../../src/core/facade/diagnosing.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { git } from '../support/git/repository.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { processesWith } from '../support/processes/processes.ts'
import { sampledOf, WHOLE } from '../support/run/sampled.ts'
import { waitUntil } from '../support/run/wait.ts'
import { shell } from '../support/scene/sandbox.ts'

/** Shell functions that put something at the path they are given. */
const KINDS: Readonly<Record<string, string>> = {
  pipe: 'put() { rm -rf "$1"; mkfifo "$1"; }',
  'link to a device': 'put() { rm -rf "$1"; ln -s /dev/zero "$1"; }',
  directory: 'put() { rm -rf "$1"; mkdir "$1"; }',
  'terabyte of nothing': 'put() { rm -rf "$1"; truncate -s 1T "$1"; }',
}

const TRIED = sampledOf(Object.keys(KINDS))

/** Relative to the agent's own tree; $G is its git directory, $C the shared one, $B its branch. */
const OWN = {
  index: '$G/index',
  HEAD: '$G/HEAD',
  gitdir: '$G/gitdir',
  commondir: '$G/commondir',
  sparse: '$G/info/sparse-checkout',
  ignored: '.gitignore',
  attributes: '.gitattributes',
  modules: '.gitmodules',
  events: '../../../invocations/$AGENCY_INVOCATION_ID/events.jsonl',
  status: '../../../invocations/$AGENCY_INVOCATION_ID/runner_status.json',
  prompt: '../../../invocations/$AGENCY_INVOCATION_ID/prompt.md',
  checkpoints: '../checkpoints.json',
  stream: '../logs/stream.jsonl',
  raw: '../logs/raw.jsonl',
  branch: '$C/$B',
} as const
const META = '../../../invocations/$AGENCY_INVOCATION_ID/meta.json'

const planting = (kind: string, places: readonly string[]): string =>
  [
    'G=$(git rev-parse --absolute-git-dir); C=$(git rev-parse --path-format=absolute --git-common-dir); B=$(git symbolic-ref HEAD)',
    'mkdir -p "$G/info"; echo work > work',
    KINDS[kind],
    ...places.map((place) => `put "${place}"`),
  ].join('\n')

/** Whoever starts an agent reads its record once more, so the agent waits for a word. */
const AT_A_WORD = 'until [ -e word ]; do sleep 0.02; done\n'
const giveTheWord = ({ sandbox_path }: InvocationRecord): void =>
  writeFileSync(join(showPath(sandbox_path), 'word'), '')

interface Envelope {
  readonly ok: boolean
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly hint: string
    readonly details: Record<string, unknown>
  }
}

async function ask(desk: Desk, ...args: readonly string[]): Promise<Envelope> {
  const { stdout, stderr } = await desk.run([...args, '--json'])
  if (stdout === '') throw new Error(`agency ${args.join(' ')} said nothing: ${stderr}`)
  return JSON.parse(stdout)
}

const codeOf = ({ ok, error }: Envelope): string => (ok ? 'ok' : (error?.code ?? '?'))

const said = async (desk: Desk): Promise<string> =>
  (await desk.data<Diagnosis & Record<string, unknown>>('doctor')).findings
    .filter(({ level }) => level === 'problem')
    .map(({ message, remedy }) => `${message} -> ${remedy}`)
    .join('\n')

async function makeGood(desk: Desk, count: number): Promise<string[]> {
  const script = 'echo good > good-$AGENCY_INVOCATION_ID; git add .; git commit -qm good'
  const started = await Promise.all(Array.from({ length: count }, () => desk.start('one', script)))
  const ids = started.map(({ invocation_id }) => invocation_id)
  await desk.run(['agent', 'wait', ...ids])
  return ids
}

/** Does what the refusal says, until it is done. What is moved away goes, since a terabyte would take git an hour. */
async function discardAsTold(desk: Desk, id: string): Promise<Envelope> {
  let answer = await ask(desk, 'agent', 'discard', id)
  for (let round = 0; round < 20 && answer.error?.code === 'E_FILE_UNREADABLE'; round++) {
    const [, command = 'false', away = ''] = /(mv '.*' '(.*)')$/.exec(answer.error.hint) ?? []
    shell(desk.root, `${command}; rm -rf '${away}'`)
    answer = await ask(desk, 'agent', 'discard', id)
  }
  return answer
}

/** One for each kind that is tried, which it puts into each of these places. */
async function startVandals(desk: Desk, places: readonly string[]): Promise<InvocationRecord[]> {
  const scripts = TRIED.map((kind) => AT_A_WORD + planting(kind, places))
  const started = await Promise.all(scripts.map((script) => desk.start('one', script)))
  for (const one of started) giveTheWord(one)
  return started
}

const idsOf = (records: readonly { readonly invocation_id: string }[]): string[] =>
  records.map(({ invocation_id }) => invocation_id).sort()

const ofKind = (kind: string, names: readonly string[]): readonly string[] =>
  TRIED.includes(kind) ? names : []

describe('what an agent has put in the place of its own files', () => {
  it('is named, whatever it is, and leaves every other sandbox to itself', async () => {
    const desk = makeDesk()
    await desk.worktree('one')
    const [landed = '', discarded = ''] = await makeGood(desk, 2)
    const broken = await startVandals(desk, [META])
    await waitUntil(async () => (await desk.list()).broken.length === broken.length)
    const odd = await startVandals(desk, Object.values(OWN))
    await desk.run(['agent', 'wait', ...idsOf(odd)])

    const listed = await desk.list()
    expect(idsOf(listed.broken)).toEqual(idsOf(broken))
    for (const { reason } of listed.broken) expect(reason).toMatch(/meta\.json: it (is|has) /)
    const doctor = await said(desk)
    const named = [
      ...idsOf(broken).map((id) => `${id}/meta.json: it `),
      ...idsOf(odd).map((id) => `${id}/checkpoints.json: it `),
      ...ofKind('pipe', ['index', 'HEAD', 'gitdir', '.gitignore']).map(
        (name) => `/${name}: it is a named pipe`,
      ),
      ...ofKind('terabyte of nothing', ['index', '.gitignore']).map((name) => `/${name}: it has 1048576 MB`),
    ]
    expect(named.filter((one) => !doctor.includes(one))).toEqual([])

    expect(codeOf(await ask(desk, 'agent', 'land', landed))).toBe('ok')
    expect(codeOf(await ask(desk, 'agent', 'discard', discarded))).toBe('ok')
    expect(codeOf(await ask(desk, 'undo'))).toBe('ok')
    expect(codeOf(await ask(desk, 'worktree', 'create', '--name', 'two'))).toBe('ok')
    const [after = ''] = await makeGood(desk, 1)
    expect(codeOf(await ask(desk, 'agent', 'land', after))).toBe('ok')
    for (const id of idsOf(odd)) {
      expect(codeOf(await discardAsTold(desk, id))).toBe('ok')
      expect(git(desk.root, 'ls-tree', '--name-only', `refs/agency/trash/${id}`)).toContain('work')
    }
  })
})

describe("what an agent has put in the place of the repository's records", () => {
  it('holds no verb up, and is named, whatever it is', async () => {
    const desk = makeDesk()
    await desk.worktree('one')
    const good = await makeGood(desk, TRIED.length)
    const names = ['operations.jsonl', 'ui.json', 'closed.json', '.lock']
    const places = names.map((name) => `../../../${name}`)
    const vandal = await desk.start('one', 'echo work > work')
    await desk.run(['agent', 'wait', vandal.invocation_id])
    for (const [at, kind] of TRIED.entries()) {
      shell(showPath(vandal.sandbox_path), planting(kind, places))
      const doctor = await said(desk)
      for (const name of names.slice(1, 3)) expect(doctor).toContain(`/${name}: it `)
      expect(codeOf(await ask(desk, 'agent', 'ls'))).toBe('ok')
      expect(codeOf(await ask(desk, 'agent', at % 2 === 0 ? 'land' : 'discard', good[at] ?? ''))).toBe('ok')
      expect(codeOf(await ask(desk, 'undo'))).toBe('ok')
      expect(codeOf(await ask(desk, 'log'))).toBe('ok')
    }
  })
})

describe('what an agent has put in the place of the shared files of git', () => {
  it('is named by whoever needs the file, and once it is moved away all is well', async () => {
    const desk = makeDesk()
    await desk.worktree('one')
    const [landed = ''] = await makeGood(desk, 1)
    for (const name of sampledOf(['packed-refs', 'info/exclude', 'info/attributes', 'shallow', 'config'])) {
      const path = join(desk.root, '.git', name)
      shell(desk.root, `[ ! -e '${path}' ] || mv '${path}' '${path}.was'; mkfifo '${path}'`)
      expect(await said(desk)).toContain(`${path}: it is a named pipe`)
      expect(codeOf(await ask(desk, 'agent', 'ls'))).toBe('ok')
      const { error } = await ask(desk, 'worktree', 'create', '--name', 'two')
      expect(error).toMatchObject({ code: 'E_FILE_UNREADABLE', message: `${path}: it is a named pipe` })
      expect(error?.hint).toContain(`mv '${path}'`)
      shell(desk.root, `rm '${path}'; [ ! -e '${path}.was' ] || mv '${path}.was' '${path}'`)
    }
    expect(codeOf(await ask(desk, 'agent', 'land', landed))).toBe('ok')
  })
})

describe('a kill', () => {
  const { titleOf } = systemProcesses()
  /** Of the agent, its host and their programs. */
  const all = (desk: Desk): number[] => processesWith('XDG_RUNTIME_DIR', desk.scratch)

  it.runIf(WHOLE)(
    'ends the agent, its host, and a git of the host that waits for a pipe among the rules',
    async () => {
      const desk = makeDesk()
      await desk.worktree('one')
      const agent = await desk.start(
        'one',
        'mkdir sub; mkfifo sub/.gitignore; echo x > sub/file; exec sleep 1000',
      )
      await waitUntil(() => all(desk).some((pid) => titleOf(pid)?.startsWith('git ') === true))
      expect((await desk.run(['agent', 'kill', agent.invocation_id])).exitCode).toBe(0)
      await waitUntil(() => all(desk).length === 0, { patience: 150_000 })
    },
  )

  it.each(TRIED)('ends the agent and its host where the record has become a %s', async (kind) => {
    const desk = makeDesk()
    await desk.worktree('one')
    const agent = await desk.start(
      'one',
      `${AT_A_WORD}${planting(kind, [META])}\ntouch ready\nexec sleep 1000`,
    )
    giveTheWord(agent)
    await waitUntil(() => existsSync(join(showPath(agent.sandbox_path), 'ready')))
    const ran = await desk.run(['agent', 'kill', agent.invocation_id])
    expect(ran.exitCode).toBe(4)
    expect(ran.stderr).toMatch(/is broken: .*it (is|has) .*; \d+ processes of it were killed/)
    await waitUntil(() => all(desk).length === 0)
  })
})
