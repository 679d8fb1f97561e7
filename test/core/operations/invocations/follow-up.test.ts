import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import type { Runner } from '../../../../src/core/model/runner.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { chooseRunnerName } from '../../../../src/core/operations/invocations/follow-up.ts'
import { listInvocations } from '../../../../src/core/operations/invocations/known-invocations.ts'
import type { ResolvedStart } from '../../../../src/core/operations/invocations/resolve-start.ts'
import { startInvocation } from '../../../../src/core/operations/invocations/start-invocation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { claude } from '../../../../src/runners/claude/claude.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

const REQUEST: ResolvedStart = {
  worktree: 'my-feature',
  runner: 'talker',
  mode: 'headless',
  prompt: 'Fix the parser',
  prompt_source: 'text',
  environment: LOCAL_ENVIRONMENT,
  columns: 80,
  rows: 24,
}

interface Talk {
  readonly world: World
  readonly first: InvocationRecord
  followUp(changes?: Partial<ResolvedStart>, runner?: Runner): Promise<InvocationRecord>
}

/** Claude Code, as if it were installed, under the name of the first run's runner. */
const fileReader: Runner = {
  ...claude,
  name: 'talker',
  probe: async () => ({ state: 'ready', executable: '/bin/claude', version: null }),
}

/** A run that has ended; `changes` say how. */
async function makeTalk(changes: Partial<InvocationRecord> = {}): Promise<Talk> {
  const world = await makeWorld({ 'a.txt': 'one\n' })
  const { repository } = world
  await createWorktree(repository, { name: 'my-feature', cwd: world.root })
  const { invocation_id } = await startInvocation(repository, REQUEST)
  const ended = { status: 'finished', exit_reason: 'exited', runner_session_id: 'session-1' } as const
  const first = await updateInvocation(repository.paths, invocation_id, { ...ended, ...changes })
  const followUp: Talk['followUp'] = (more = {}, runner) => {
    const runners = runner === undefined ? world.effects.runners : { names: [runner.name], get: () => runner }
    return startInvocation(
      { ...repository, effects: { ...world.effects, runners } },
      { ...REQUEST, resume: invocation_id, prompt: 'And the tests', ...more },
    )
  }
  return { world, first, followUp }
}

describe('following up', () => {
  it('goes on with the session in a sandbox of its own, and says that the earlier paths are gone', async () => {
    const { world, first, followUp } = await makeTalk()
    const second = await followUp()
    expect(second.parent_invocation_id).toBe(first.invocation_id)
    expect(second.sandbox_path).not.toBe(first.sandbox_path)
    const said = `Your working directory is now ${second.sandbox_path}, a fresh checkout: the paths in ${first.sandbox_path} from before are gone, and what you changed there is here only if it was landed.\n\nAnd the tests`
    expect(world.launches[1]?.plan.argv).toEqual(['/bin/sh', '--resume', 'session-1', said])
    expect(readFileSync(second.prompt_path ?? '', 'utf8')).toBe(said)
  })

  it('keeps the prompt as the person wrote it for lists and the log', async () => {
    const { world, followUp } = await makeTalk()
    expect((await followUp()).prompt).toBe('And the tests')
    expect(world.launches[1]?.prompt).toBe('And the tests')
  })

  it('says where it is to an agent too that is told to read a prompt which no argument can carry', async () => {
    const { world, first, followUp } = await makeTalk()
    const prompt = `And the tests${' of it'.repeat(30_000)}`
    const { sandbox_path, prompt_path } = await followUp({ mode: 'headed', prompt }, fileReader)
    expect(world.launches[1]?.plan.argv.at(-1)).toBe(
      `Read the file ${prompt_path} whole and do what it says.`,
    )
    const read = readFileSync(prompt_path ?? '', 'utf8')
    expect(read.endsWith(`\n\n${prompt}`)).toBe(true)
    const before = read.slice(0, -prompt.length)
    expect(before).toContain(`Your working directory is now ${sandbox_path}`)
    expect(before).toContain(`the paths in ${first.sandbox_path} from before are gone`)
  })

  it('begins without a word where the person gave no prompt', async () => {
    const { world, followUp } = await makeTalk()
    await followUp({ mode: 'headed', prompt: null, prompt_source: 'none' })
    expect(world.launches[1]).toMatchObject({
      prompt: null,
      plan: { argv: ['/bin/sh', '--resume', 'session-1', ''] },
    })
  })

  it('takes the runner of the session where none is asked for', async () => {
    const { world, first } = await makeTalk()
    const { paths } = world.repository
    const { runner: _, ...request } = REQUEST
    expect(chooseRunnerName(paths, { ...request, resume: first.invocation_id }, 'shell')).toBe('talker')
    expect(chooseRunnerName(paths, request, 'shell')).toBe('shell')
    expect(chooseRunnerName(paths, { ...REQUEST, resume: first.invocation_id }, 'shell')).toBe('talker')
  })

  it.each([
    { what: 'with another runner', again: { runner: 'shell' }, code: 'E_USAGE' },
    { what: 'on a run without a session', ended: { runner_session_id: null }, code: 'E_RUNNER_MODE' },
    { what: 'on a run that is still at work', ended: { status: 'running' }, code: 'E_INVOCATION_RUNNING' },
  ] as const)('$what is refused, and makes nothing', async ({ code, ...row }) => {
    const { world, followUp } = await makeTalk('ended' in row ? row.ended : {})
    await expect(followUp('again' in row ? row.again : {})).rejects.toMatchObject({ code })
    expect(listInvocations(world.repository.paths).invocations).toHaveLength(1)
    expect(world.launches).toHaveLength(1)
  })
})
