// The end of a case. Nothing strikes any more: what is broken is mended by doctor, and then all has to work.

import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding as Diagnosed } from '../../../src/core/facade/diagnosing.ts'
import { compareTrees } from '../account/account.ts'
import { BREAKS_OWN, BREAKS_WORKTREE, PLANTS_FILES } from '../plan/hostile-deeds.ts'
import { LOSES_BRANCH } from '../plan/person-deeds.ts'
import type { Plan } from '../plan/plan.ts'
import { generalize } from './finding.ts'
import { checkAccount, nameFailure, type Running } from './running.ts'
import { runScript } from './script.ts'

export async function endCase(running: Running, witness: string | null): Promise<void> {
  const { plan, story, verb, find, place } = running
  story.push('end:')
  const listed = await verb(['agent', 'ls', '--all'])
  for (const id of runningOf(listed.data)) await checkAccount(running, await verb(['agent', 'kill', id]))
  const mended = await verb(['doctor', '--fix'])
  await checkAccount(running, mended)
  if (!mended.ok) find(nameFailure(mended), `doctor --fix: ${mended.message}`)
  lookAtDoctor(running, (await verb(['doctor'])).data)
  for (const words of plan.plain ? [] : [['agent', 'ls'], ['worktree', 'ls'], ['log']]) {
    const ran = await verb(words)
    if (!ran.ok) find(nameFailure(ran), `${words.join(' ')}: ${ran.message}`)
  }
  if (witness !== null) await hearWitness(running, witness)
  await checkRepository(running)
  if (existsSync(join(place.out, 'ran'))) find('what an agent planted was run', join(place.out, 'ran'))
}

function runningOf(data: unknown): string[] {
  const { invocations = [] } = (data ?? {}) as { invocations?: { invocation_id: string; status: string }[] }
  return invocations.filter(({ status }) => /running|starting/.test(status)).map((one) => one.invocation_id)
}

/**
 * Doctor names what an agent has broken of its own, a branch that the person has renamed or put in the place of ours, and
 * settings that came after agency, and leaves them to the person: `src/core/operations/diagnosis/`. What it says it can
 * mend, it has mended, but where what an agent wrote has left no room on the disk for that.
 */
function lookAtDoctor({ plan, find, place }: Running, data: unknown): void {
  const { findings = [] } = (data ?? {}) as { findings?: Diagnosed[] }
  const full = plan.world.small !== null && statfsSync(place.dataDir).bavail === 0
  for (const { level, subject, message, fixable } of findings) {
    const said = `${subject}: ${message}`
    if (level !== 'problem' || (fixable ? full : leavesToPerson(plan, said))) continue
    find(`doctor is not content: ${generalize(said)}`, said)
  }
}

const leavesToPerson = (plan: Plan, said: string): boolean =>
  /^git configuration/.test(said) ||
  (/^invocation/.test(said) && hasDeed(plan, BREAKS_OWN)) ||
  (/^files: /.test(said) && hasDeed(plan, PLANTS_FILES)) ||
  (/^worktree .*: its branch .* is gone/.test(said) && hasDeed(plan, LOSES_BRANCH)) ||
  (/^refs: refs\/heads\/agency stands/.test(said) && hasIngredient(plan, /^branch-agency$/))

const hasIngredient = ({ world }: Plan, name: RegExp): boolean =>
  world.ingredients.some((one) => name.test(one.name))

const hasDeed = (plan: Plan, name: RegExp): boolean =>
  plan.steps.some((step) => 'deeds' in step && step.deeds.some((deed) => name.test(deed.name)))

async function hearWitness(running: Running, id: string): Promise<void> {
  const { plan, verb, find, account } = running
  const before = account.trees()
  const landed = await verb(['agent', 'land', id, '--apply'])
  await checkAccount(running, landed)
  // What an agent wrote may be all that fits.
  if (landed.code === 'E_DISK_FULL' && plan.world.small !== null) return
  if (!landed.ok) {
    find(nameFailure(landed), `the witness does not land: ${landed.message}`)
    return
  }
  const undone = await verb(['undo'])
  await checkAccount(running, undone)
  if (!undone.ok) {
    find(nameFailure(undone), `the witness is not undone: ${undone.message}`)
    return
  }
  const after = account.trees()
  for (const [tree, entries] of before) {
    if (!tree.includes(id)) continue
    for (const { path, difference } of compareTrees(entries, after.get(tree) ?? new Map())) {
      find(`the witness comes back otherwise: ${difference}`, path)
    }
  }
}

async function checkRepository({ plan, place, find, account }: Running): Promise<void> {
  const script = 'ulimit -v 4000000; git fsck --connectivity-only --no-dangling --no-progress'
  const ran = await runScript(place, { name: 'fsck', cwd: place.here, actor: 'person', script })
  const said = `${ran.stdout}${ran.stderr}`.trim()
  // It reads what an agent left in the place of its HEAD, and may wait for it.
  const ofAgents = hasDeed(plan, BREAKS_WORKTREE) && (ran.stuck !== null || /worktrees\/tree\d*/.test(said))
  if (ran.status !== 0 && !ofAgents)
    find(`git fsck: ${generalize(said)}`, `${ran.stuck ?? ran.status}: ${said.slice(0, 500)}`)
  for (const text of account.unread()) find(`git cannot walk all refs: ${generalize(text)}`, text)
}
