import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import { hasOsBox, hasRelay, inOsBox } from '../support/boxes/boxes.ts'
import { git, makeRepository, makeScratch } from '../support/git/repository.ts'
import { type Desk, type InvocationData, sitDown } from '../support/processes/cli.ts'
import { waitUntil } from '../support/run/wait.ts'
import { attacks, TOOLS } from './box-attempts.ts'

interface Home extends Desk {
  readonly home: string
}

/** Without programs that lead into a home, such as those of a version manager: in a box they lead nowhere. */
const SYSTEM_PATH = [
  dirname(process.execPath),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
].join(':')

/** A person with secrets at home, a repository with a worktree, and variables that are nobody's business. */
async function makeHome(): Promise<Home> {
  const scratch = makeScratch()
  const home = join(scratch, 'home')
  mkdirSync(join(home, '.ssh'), { recursive: true })
  writeFileSync(join(home, '.ssh/id'), 'a secret\n')
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Person\n\temail = person@example.com\n')
  const root = makeRepository(join(scratch, 'repo'), { a: 'a\n' })
  const desk = sitDown(scratch, root, { HOME: home, PATH: SYSTEM_PATH, THE_SECRET: 'AGENCY_TEST_SECRET' })
  await desk.worktree('feature')
  return { ...desk, home }
}

async function startIn(desk: Desk, script: string, ...options: readonly string[]): Promise<string> {
  const { invocation } = await desk.data<{ invocation: InvocationData }>(
    ...['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--headless', '--detached'],
    ...['--prompt', script, ...options],
  )
  return invocation.invocation_id
}

/** Runs a script as an agent in an environment, to its end. */
async function runIn(desk: Desk, script: string, ...options: readonly string[]): Promise<InvocationData> {
  const id = await startIn(desk, script, ...options)
  await desk.run(['agent', 'wait', id])
  return await desk.show(id)
}

const outputOf = async (desk: Desk, { invocation_id }: InvocationData): Promise<string> =>
  (await desk.run(['agent', 'logs', invocation_id, '--raw'])).stdout

/** Counts who has connected. */
async function listen(where: { port: number; host: string } | { path: string }) {
  let heard = 0
  const server: Server = createServer((socket) => {
    heard += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(where, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard: () => heard,
  }
}

describe.skipIf(!hasOsBox)(inOsBox, () => {
  test('an agent commits, and its work is diffed, landed and taken back like that of any other', async () => {
    const desk = await makeHome()
    const agent = await runIn(desk, 'echo b > b && git add b && git commit -qm work', '--env', 'offline')
    expect(agent).toMatchObject({ status: 'finished', exit_code: 0, environment: { isolation: 'os' } })
    const id = agent.invocation_id
    expect((await desk.run(['agent', 'diff', id])).stdout).toContain('+b')
    await desk.data('agent', 'land', id)
    const branch = git(desk.root, 'for-each-ref', '--format=%(refname)', 'refs/heads/agency/feature*')
    expect(git(desk.root, 'log', '-1', '--format=%an %s', branch)).toBe('Person work')
    await desk.data('undo')
    expect(git(desk.root, 'log', '-1', '--format=%s', branch)).not.toBe('work')
    expect((await desk.show(id)).landing_status).toBe('pending')
  })

  test('nothing that an agent tries reaches, reads or changes what is outside', async () => {
    const desk = await makeHome()
    const bystander = spawn('sleep', ['1000'], { env: { AGENCY_TEST_SECRET: 'x' } })
    onTestFinished(() => void bystander.kill('SIGKILL'))
    const other = await runIn(desk, 'echo secret > secret')
    const paths = { socket: join(desk.scratch, 'sock'), abstract: `agency-test-${process.pid}` }
    const ears = [
      await listen({ port: 0, host: '127.0.0.1' }),
      await listen({ path: paths.socket }),
      await listen({ path: `\0${paths.abstract}` }),
    ]
    const rows = attacks({
      ...paths,
      home: desk.home,
      data_dir: desk.dataDir,
      root: desk.root,
      other: join(other.sandbox_path as unknown as string, 'secret'),
      port: ears[0]?.port ?? 0,
      pid: bystander.pid ?? 0,
    })
    const script = rows
      .map((row, at) => `( ${row.script}\n) >/dev/null 2>&1 </dev/null; echo "tried ${at} $?"`)
      .join('\n')
    const watched = [
      ...['.ssh/id', '.gitconfig'].map((name) => join(desk.home, name)),
      ...['a', '.git/config', '.git/HEAD', '.git/hooks'].map((name) => join(desk.root, name)),
      other.sandbox_path as unknown as string,
    ]
    const look = () =>
      watched.map((path) =>
        execFileSync('find', [path, '-type', 'f', '-exec', 'sha256sum', '{}', '+'], { encoding: 'utf8' }),
      )
    const tools = await runIn(desk, TOOLS.join(' && '), '--env', 'offline')
    expect(tools.exit_code, await outputOf(desk, tools)).toBe(0)
    const before = { refs: git(desk.root, 'for-each-ref'), files: look() }
    const agent = await runIn(desk, script, '--env', 'offline')
    const said = await outputOf(desk, agent)
    const results = rows.map(({ name }, at) => `${name}: ${new RegExp(`tried ${at} (\\d+)`).exec(said)?.[1]}`)
    const inside = results.filter((_, at) => rows[at]?.seenOutside !== true)
    expect(inside.filter((result) => /: (0|undefined)$/.test(result))).toEqual([])
    expect(results.filter((result) => result.endsWith('undefined'))).toEqual([])
    expect(rows.length).toBeGreaterThanOrEqual(60)
    expect(ears.map((ear) => ear.heard())).toEqual([0, 0, 0])
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null)
    expect(look()).toEqual(before.files)
    expect(agent).toMatchObject({ status: 'finished', runner: 'shell' })
    expect(git(desk.root, 'fsck', '--no-dangling')).toBe('')
    const mine = new RegExp(agent.invocation_id)
    const theirs = git(desk.root, 'for-each-ref').split('\n')
    expect(theirs.filter((line) => !mine.test(line))).toEqual(before.refs.split('\n'))
  })

  test('all that an agent has started ends with it, and when it is killed', async () => {
    const desk = await makeHome()
    const script = 'setsid -f sh -c "trap : TERM INT HUP; while :; do sleep 1; done"; touch ready; sleep 1000'
    const processes = systemProcesses()
    for (const how of ['stop', 'kill'] as const) {
      const id = await startIn(desk, script, '--env', 'offline')
      const { sandbox_path } = await desk.show(id)
      const tree = sandbox_path as unknown as string
      await waitUntil(() => existsSync(join(tree, 'ready')), { what: 'the agent is at work' })
      expect((await desk.run(['agent', how, id])).exitCode).toBe(0)
      await desk.run(['agent', 'wait', id])
      expect((await desk.show(id)).exit_reason).toBe(how === 'stop' ? 'stopped' : 'killed')
      await waitUntil(async () => (await processes.ofInvocation(id, tree)).length === 0)
    }
  })

  test('an agent that holds up the first process of its box holds up its own end alone, and can be killed', async () => {
    const desk = await makeHome()
    const code = 'import ctypes; exit(ctypes.CDLL(None).ptrace(16, 1, 0, 0))'
    const id = await startIn(desk, `python3 -c '${code}'; touch held; exit`, '--env', 'offline')
    const { sandbox_path } = await desk.show(id)
    const tree = sandbox_path as unknown as string
    await waitUntil(() => existsSync(join(tree, 'held')), { what: 'it is held' })
    const other = await runIn(desk, 'echo fine', '--env', 'offline')
    expect(other.exit_code).toBe(0)
    expect((await desk.run(['agent', 'kill', id])).exitCode).toBe(0)
    await desk.run(['agent', 'wait', id])
    await waitUntil(async () => (await systemProcesses().ofInvocation(id, tree)).length === 0)
  })

  test('a host that is killed takes all of its box along', async () => {
    const desk = await makeHome()
    const id = await startIn(desk, 'setsid -f sleep 1000; touch ready; sleep 1000', '--env', 'offline')
    const { sandbox_path, host } = await desk.show(id)
    const tree = sandbox_path as unknown as string
    await waitUntil(() => existsSync(join(tree, 'ready')), { what: 'the agent is at work' })
    process.kill(host?.pid ?? 0, 'SIGKILL')
    await waitUntil(async () => (await systemProcesses().ofInvocation(id, tree)).length === 0)
    expect((await desk.show(id)).exit_reason).toBe('unknown')
  })

  test.skipIf(!hasRelay)(
    `only allowed hosts are reached through a restricted network, and the others are told${hasRelay ? '' : ' (skipped: no socat here)'}`,
    async () => {
      const desk = await makeHome()
      const [allowed, other] = [
        await listen({ port: 0, host: '127.0.0.1' }),
        await listen({ port: 0, host: '127.0.0.1' }),
      ]
      const ask = (port: number) =>
        `printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n' | socat -t 5 - TCP:127.0.0.1:3128 | head -n 1`
      const script = `${ask(allowed.port)}; ${ask(other.port)}; bash -c ': < /dev/tcp/127.0.0.1/${other.port}' || echo shut`
      const agent = await runIn(desk, script, '--env', 'boxed', '--allow', `127.0.0.1:${allowed.port}`)
      const said = await outputOf(desk, agent)
      expect(said).toMatch(/ 200 [\s\S]* 403 [\s\S]*shut/)
      expect([allowed.heard(), other.heard()]).toEqual([1, 0])
      const events = await desk.run(['agent', 'show', agent.invocation_id, '--json'])
      expect(events.stdout).toContain(`could not reach 127.0.0.1:${other.port}: not allowed`)
    },
  )

  test('where bubblewrap is missing, a start is refused in words, and leaves nothing', async () => {
    const desk = await makeHome()
    const bin = join(desk.scratch, 'bin')
    mkdirSync(bin)
    for (const name of ['git', 'env', 'sh'])
      writeFileSync(join(bin, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 })
    const refused = await desk.run(
      [
        'agent',
        'start',
        '--worktree',
        'feature',
        '--runner',
        'shell',
        '--headless',
        '--prompt',
        'x',
        '--env',
        'offline',
      ],
      { env: { PATH: bin } },
    )
    expect(refused.exitCode).toBe(6)
    expect(refused.stderr).toMatch(
      /E_ISOLATION_UNAVAILABLE[\s\S]*no 'bwrap' on PATH[\s\S]*apt install bubblewrap/,
    )
    expect((await desk.list()).invocations).toEqual([])
    expect(git(desk.root, 'for-each-ref', 'refs/heads/agency/sandbox-*')).toBe('')
  })
})
