// Makes a case smaller: leaves out steps and deeds one by one, as long as it finds the same.

import type { Plan, Step } from '../plan/plan.ts'
import { type CaseOptions, runCase } from './run-case.ts'

/** Runs the case many times. `say` hears of each that is left out. */
export async function shrinkCase(
  plan: Plan,
  options: CaseOptions,
  say: (text: string) => void,
): Promise<Plan> {
  const wanted = (await runCase(plan, options)).findings.map(({ signature }) => signature)
  const same = async (smaller: Plan): Promise<boolean> =>
    (await runCase(smaller, options)).findings.some(({ signature }) => wanted.includes(signature))
  if (wanted.length === 0) return plan
  let left = plan
  for (let at = plan.steps.length - 1; at >= 0; at--) {
    const without = { ...left, steps: left.steps.filter((_, index) => index !== at) }
    if (!(await same(without))) continue
    say(`without step ${at}`)
    left = without
  }
  for (const smaller of withoutDeeds) left = await tryEach(left, smaller(left), same)
  return left
}

type Smaller = (plan: Plan) => Plan[]

const withoutDeeds: readonly Smaller[] = [
  (plan) =>
    plan.steps.flatMap((step, at) =>
      'deeds' in step && step.deeds.length > 1
        ? step.deeds.map((gone) =>
            replaceStep(plan, at, { ...step, deeds: step.deeds.filter((deed) => deed !== gone) }),
          )
        : [],
    ),
  (plan) =>
    plan.world.ingredients.map((gone) => ({
      ...plan,
      world: { ...plan.world, ingredients: plan.world.ingredients.filter((one) => one !== gone) },
    })),
  (plan) => [
    { ...plan, world: { ...plan.world, ingredients: [], layout: 'plain', place: 'repo', format: 'sha1' } },
  ],
]

const replaceStep = (plan: Plan, at: number, step: Step): Plan => ({
  ...plan,
  steps: plan.steps.map((one, index) => (index === at ? step : one)),
})

async function tryEach(
  plan: Plan,
  smaller: readonly Plan[],
  same: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  for (const one of smaller) if (await same(one)) return one
  return plan
}
