// From a seed to a case: a repository and a row of steps. It is a pure function, so a seed says all.

import { AGENT_DEEDS } from './agent-deeds.ts'
import { type ChosenDeed, choose } from './deed.ts'
import { type Dice, rollDice } from './dice.ts'
import { type Fault, planFault } from './fault.ts'
import { HOSTILE_DEEDS } from './hostile-deeds.ts'
import { REPOSITORY_DEEDS, WORKTREE_DEEDS } from './person-deeds.ts'
import { planVerb } from './verbs.ts'
import { planWorld, type World } from './world.ts'

export interface Plan {
  readonly seed: number
  /** Cheap, and the same on every machine. */
  readonly plain: boolean
  readonly world: World
  readonly steps: readonly Step[]
}

/** `agent` and `worktree` count what was made in this case before; beyond the end they begin again. */
export type Step =
  | {
      readonly kind: 'agent'
      readonly worktree: number
      readonly deeds: readonly ChosenDeed[]
      /** It goes on running when its deeds are done. */
      readonly lingers: boolean
      readonly fault: Fault | null
    }
  | { readonly kind: 'worktree'; readonly worktree: number; readonly deeds: readonly ChosenDeed[] }
  | { readonly kind: 'repository'; readonly deeds: readonly ChosenDeed[] }
  /** Words of a command line; `@agent 3` and `@worktree 0` stand for ids. */
  | { readonly kind: 'verb'; readonly words: readonly string[]; readonly fault: Fault | null }

export interface PlanOptions {
  /** Few rounds, nothing large, and only what is the same everywhere: no library, no limits, no file system of its own. */
  readonly plain?: boolean
}

const MOST_ROUNDS = 5
const MOST_PLAIN_ROUNDS = 2

export function planCase(seed: number, { plain = false }: PlanOptions = {}): Plan {
  const dice = rollDice(seed)
  const world = planWorld(dice)
  const fault = (): Fault | null => planFault(dice, plain)
  const first = dice.chance(0.3) ? fault() : null
  const steps: Step[] = [{ kind: 'verb', words: ['worktree', 'create', '--name', 'feat'], fault: first }]
  if (first !== null || dice.chance(0.3)) {
    steps.push({ kind: 'verb', words: ['worktree', 'create', '--name', 'other'], fault: null })
  }
  for (let round = 1 + dice.below(plain ? MOST_PLAIN_ROUNDS : MOST_ROUNDS); round > 0; round--) {
    steps.push(planAgent(dice, { plain, fault: fault() }))
    if (dice.chance(0.4)) steps.push(planPerson(dice))
    for (let verb = 1 + dice.below(4); verb > 0; verb--) {
      for (const words of planVerb(dice)) steps.push({ kind: 'verb', words, fault: fault() })
    }
  }
  return { seed, plain, world: plain ? { ...world, small: null, bound: false } : world, steps }
}

function planAgent(dice: Dice, { plain, fault }: { plain: boolean; fault: Fault | null }): Step {
  const count = 1 + dice.below(4)
  const chosen = Array.from({ length: count }, () =>
    choose(dice, dice.weighed(dice.chance(0.3) ? HOSTILE_DEEDS : AGENT_DEEDS)),
  )
  const deeds = plain ? chosen.filter(({ script }) => !/truncate/.test(script)) : chosen
  return { kind: 'agent', worktree: dice.below(2), deeds, lingers: dice.chance(0.1), fault }
}

const planPerson = (dice: Dice): Step =>
  dice.chance(0.6)
    ? {
        kind: 'worktree',
        worktree: dice.below(2),
        deeds: dice.some(WORKTREE_DEEDS, 1 + dice.below(2)).map((deed) => choose(dice, deed)),
      }
    : {
        kind: 'repository',
        deeds: dice.some(REPOSITORY_DEEDS, 1 + dice.below(2)).map((deed) => choose(dice, deed)),
      }
