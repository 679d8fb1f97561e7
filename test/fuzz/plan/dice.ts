// Choices of a plan. They follow from the seed alone, so that a case can be repeated.

import { seededRandom } from '../../support/run/seeded.ts'

export interface Dice {
  chance(probability: number): boolean
  /** A whole number from 0 to `end` - 1. */
  below(end: number): number
  of<T>(list: readonly T[]): T
  /** Small numbers as often as large ones: from 1 to `most`, by their magnitude. */
  magnitude(most: number): number
  /** `most` different ones, or fewer if the list has fewer. */
  some<T>(list: readonly T[], most: number): T[]
  weighed<T extends { readonly weight: number }>(list: readonly T[]): T
}

export function rollDice(seed: number): Dice {
  const random = seededRandom(seed)
  const below = (end: number): number => Math.floor(random() * end)
  const of = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }
  return {
    chance: (probability) => random() < probability,
    below,
    of,
    magnitude: (most) => Math.ceil(most ** random()),
    some: (list, most) => {
      const left = [...list]
      return Array.from({ length: Math.min(most, left.length) }, () =>
        left.splice(below(left.length), 1),
      ).flat()
    },
    weighed: (list) => {
      let at = random() * list.reduce((sum, { weight }) => sum + weight, 0)
      return (
        list.find(({ weight }) => {
          at -= weight
          return at < 0
        }) ?? of(list)
      )
    },
  }
}
