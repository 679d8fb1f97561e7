// Runs one case: makes its repository, takes its steps, and has the account checked after each verb. At the end the
// sandbox of a witness, which nobody has touched, has to land and to come back, whatever the others did.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compareTrees, openAccount } from '../account/account.ts'
import type { Entry } from '../account/look.ts'
import { formatDeeds } from '../plan/deed.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { isText } from '../plan/world.ts'
import { untilEnded, untilThere } from './agent-end.ts'
import { endCase } from './end-case.ts'
import { type Finding, generalize } from './finding.ts'
import { fillRepository, initRepository } from './make-repository.ts'
import { type CasePlace, makePlace } from './place.ts'
import {
  checkAccount,
  isUnsettled,
  listIds,
  listOpen,
  nameFailure,
  nameWrong,
  type Running,
  repositoryDir,
} from './running.ts'
import { runScript, writeScript } from './script.ts'
import { runVerb } from './verb.ts'

export interface CaseResult {
  readonly seed: number
  readonly findings: readonly Finding[]
  readonly verbs: number
  readonly kills: number
  readonly faults: number
  /** What was done and what came of it, a line each. */
  readonly story: readonly string[]
  /** Where it happened, if that was kept. */
  readonly dir: string
}

export interface CaseOptions {
  /** Default: the one that is built here. */
  readonly program?: string
  /** Leaves the directory of a case that found something. */
  readonly keep?: boolean
}

export async function runCase(
  plan: Plan,
  { keep = false, program = resolve('dist', 'agency.js') }: CaseOptions = {},
): Promise<CaseResult> {
  const place = makePlace(plan, program)
  const findings: Finding[] = []
  try {
    const running = await begin(plan, place, findings)
    if (isText(plan.world.place)) await takeSteps(running)
    else await expectRefusals(running)
    const { counts, story } = running
    return { seed: plan.seed, findings, ...counts, story, dir: place.dir }
  } finally {
    if (keep && findings.length > 0) place.clear()
    else place.remove()
  }
}

async function takeSteps(running: Running): Promise<void> {
  const witness = await startWitness(running)
  for (const [index, step] of running.plan.steps.entries()) await takeStep(running, step, index)
  await endCase(running, witness)
}

/** Nothing can be made there, so the case has no more than this. */
async function expectRefusals({ verb, find }: Running): Promise<void> {
  for (const words of [
    ['worktree', 'create', '--name', 'feat'],
    ['agent', 'ls'],
    ['doctor', '--fix'],
  ]) {
    const { code } = await verb(words)
    if (code !== 'E_PATH_NOT_TEXT') find(`${words.join(' ')} where the path is no text: ${code}`, '')
  }
}

async function begin(plan: Plan, place: CasePlace, findings: Finding[]): Promise<Running> {
  const { world, seed } = plan
  await initRepository(place, world)
  const story: string[] = []
  const counts = { verbs: 0, kills: 0, faults: 0 }
  const find = (signature: string, detail: string): void => {
    story.push(`  FOUND ${signature}: ${detail}`)
    if (!findings.some((one) => one.signature === signature)) findings.push({ seed, signature, detail })
  }
  const verb: Running['verb'] = async (words, fault = null) => {
    const ran = await runVerb(place, { words, fault, bound: world.bound })
    counts.verbs += 1
    if (ran.struck || (ran.fault !== undefined && !ran.ok && ran.code === null)) {
      counts[ran.fault === 'kill' ? 'kills' : 'faults'] += 1
    }
    story.push(
      `  agency ${words.join(' ')}${ran.fault ? ` [${JSON.stringify(fault)}]` : ''} -> ${ran.ok ? 'ok' : (ran.code ?? 'ended')} ${ran.message} (${ran.took} ms)`,
    )
    for (const wrong of ran.wrong) find(nameWrong(ran, wrong), `${words.join(' ')}: ${wrong}`)
    return ran
  }
  if (world.unborn) {
    const { code } = await verb(['worktree', 'create', '--name', 'early'])
    // The others are clones, which have commits from the start, or are made when they are filled.
    if (code !== 'E_REPOSITORY_EMPTY' && /^(plain|separate)$/.test(world.layout) && isText(world.place)) {
      find(`worktree create of an empty repository: ${code}`, '')
    }
  }
  await fillRepository(place, world)
  const account = await openAccount(place, world)
  const witnesses = new Set<string>()
  return {
    plan,
    place,
    account,
    counts,
    story,
    find,
    verb,
    witnesses,
  }
}

async function startWitness({
  plan,
  verb,
  place,
  account,
  witnesses,
  find,
}: Running): Promise<string | null> {
  const made = await verb(['worktree', 'create', '--name', 'witness'])
  if (!made.ok) {
    // A branch called `agency` leaves no room for ours, and then that is to be said.
    const refused = !/^E_(GIT_FAILED|GIT_MISSING|INTERNAL)$/.test(made.code ?? 'E_INTERNAL')
    if (refused && plan.world.ingredients.some(({ name }) => name === 'branch-agency')) return null
    find(nameFailure(made), `no worktree can be made: ${made.message}`)
    return null
  }
  const script = formatDeeds('witness', [{ name: 'witness', script: 'w witness-1; commit; w witness-2' }])
  const prompt = writeScript(place, { name: 'witness', script, actor: 'agent' })
  const started = await verb(agentWords('witness', prompt))
  const id = listIds(place, 'invocations')[0] ?? null
  if (started.ok && id !== null) await untilEnded(place, id)
  for (const room of ['invocations', 'worktrees']) for (const one of listIds(place, room)) witnesses.add(one)
  await account.note()
  return started.ok ? id : null
}

const agentWords = (worktree: string, prompt: string): string[] => [
  ...['agent', 'start', '--worktree', worktree, '--runner', 'shell', '--headless', '--detached'],
  ...['--prompt', prompt],
]

async function takeStep(running: Running, step: Step, index: number): Promise<void> {
  const { story } = running
  if (step.kind !== 'verb') closed.delete(running)
  switch (step.kind) {
    case 'agent':
      story.push(`${index}: an agent: ${step.deeds.map(({ name }) => name).join(', ')}`)
      return takeAgentStep(running, step, index)
    case 'worktree':
    case 'repository': {
      story.push(
        `${index}: the person, in the ${step.kind}: ${step.deeds.map(({ name }) => name).join(', ')}`,
      )
      return takePersonStep(running, step, index)
    }
    case 'verb':
      story.push(`${index}:`)
      return takeVerbStep(running, step)
  }
}

async function takeAgentStep(
  running: Running,
  step: Extract<Step, { kind: 'agent' }>,
  index: number,
): Promise<void> {
  const { place, account, verb } = running
  const worktree = pick(listOpen(running, 'worktrees'), step.worktree)
  if (worktree === undefined) return
  const done = join(place.out, `done-${index}`)
  const script = `${formatDeeds(String(index), step.deeds)}\n: > '${done}'\n${step.lingers ? 'exec sleep 1000' : ''}\n`
  const prompt = writeScript(place, { name: String(index), script, actor: 'agent' })
  const before = listIds(place, 'invocations')
  const started = await verb(agentWords(worktree, prompt), step.fault)
  const id = listIds(place, 'invocations').find((one) => !before.includes(one))
  await checkAccount(running, started)
  if (started.ok && id !== undefined) await untilThere(done)
  if (!step.lingers && id !== undefined && existsSync(done)) await untilEnded(place, id)
  await account.note()
}

const pick = (list: readonly string[], at: number): string | undefined => list[at % Math.max(1, list.length)]

async function takePersonStep(
  running: Running,
  step: Extract<Step, { kind: 'worktree' | 'repository' }>,
  index: number,
): Promise<void> {
  const { place, account } = running
  const cwd =
    step.kind === 'repository'
      ? place.here
      : treeOf(running, pick(listOpen(running, 'worktrees'), step.worktree))
  if (cwd === null || !existsSync(cwd)) return
  await runScript(place, {
    name: String(index),
    cwd,
    actor: 'person',
    script: formatDeeds(String(index), step.deeds),
  })
  await account.note()
}

function treeOf({ place }: Running, worktree: string | undefined): string | null {
  const dir = repositoryDir(place)
  return worktree === undefined || dir === null ? null : join(dir, 'worktrees', worktree, 'tree')
}

/** What the last verb closed, as it was, for as long as only an undo has followed. */
const closed = new WeakMap<Running, ReadonlyMap<string, ReadonlyMap<string, Entry>>>()

async function takeVerbStep(running: Running, step: Extract<Step, { kind: 'verb' }>): Promise<void> {
  const words = step.words.map((word) => resolveWord(running, word))
  if (words.includes('')) return
  const before = settledTrees(running)
  const ran = await running.verb(words, step.fault)
  await checkAccount(running, ran)
  const line = words.slice(0, 2).join(' ')
  if (ran.ok && /^(agent (land|discard)|worktree rm|checkpoint apply)/.test(line)) closed.set(running, before)
  else if (ran.ok && line === 'undo') {
    compareWithClosed(running)
    closed.delete(running)
  } else if (!/^(agent (diff|show|ls|logs)|worktree (ls|show)|log|checkpoint (ls|show))/.test(line))
    closed.delete(running)
}

/** Without those that something unfinished has left as they are: the next command that is about them finishes or takes it back. */
const settledTrees = ({ account, place }: Running): ReadonlyMap<string, ReadonlyMap<string, Entry>> =>
  new Map([...account.trees()].filter(([tree]) => !isUnsettled(place, tree)))

function resolveWord(running: Running, word: string): string {
  const [, what, at] = /^@(\w+) (\d+)$/.exec(word) ?? []
  if (what === undefined) return word
  return pick(listOpen(running, what === 'agent' ? 'invocations' : 'worktrees'), Number(at)) ?? ''
}

/** Undo brings a sandbox back as it was, every byte of it. */
function compareWithClosed(running: Running): void {
  const before = closed.get(running)
  if (before === undefined) return
  const after = running.account.trees()
  for (const [tree, entries] of before) {
    const differences = compareTrees(entries, after.get(tree) ?? new Map())
    for (const { path, deed, difference } of differences) {
      // Bytes are grouped by who wrote them, all else by what it is.
      const of = /^(content|missing)$/.test(difference) ? ` of ${generalize(deed.slice(0, 40))}` : ''
      running.find(`undo is not exact: ${difference}${of}`, `${tree}/${JSON.stringify(path)}`)
    }
  }
}
