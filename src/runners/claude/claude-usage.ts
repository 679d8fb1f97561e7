// What a Claude Code run cost. In newer versions `total_cost_usd` and `modelUsage` are about the whole session, so a
// follow-up would be charged for earlier runs; they also tell what came since the last result, and that is added up.
// Older versions tell only totals, and for one run. Pure.

import type { ModelUsage, ResultMessage } from './claude-messages.ts'

export interface Spending {
  readonly cost_usd: number | null
  /** Including tokens that were read from and written to the cache. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

export const zeroSpending: Spending = { cost_usd: null, input_tokens: null, output_tokens: null }

export function addUsage(before: Spending, message: ResultMessage): Spending {
  const since = message.model_usage_since_last_result
  if (since !== undefined) return plus(before, sum(since))
  const whole = message.modelUsage === undefined ? zeroSpending : sum(message.modelUsage)
  return { ...whole, cost_usd: message.total_cost_usd ?? whole.cost_usd }
}

function sum(usage: ModelUsage): Spending {
  const rows = Object.values(usage)
  const total = (pick: (row: ModelUsage[string]) => number): number =>
    rows.reduce((all, row) => all + pick(row), 0)
  return {
    cost_usd: total((row) => row.costUSD),
    input_tokens: total(
      (row) => row.inputTokens + (row.cacheReadInputTokens ?? 0) + (row.cacheCreationInputTokens ?? 0),
    ),
    output_tokens: total((row) => row.outputTokens),
  }
}

const plus = (a: Spending, b: Spending): Spending => ({
  cost_usd: (a.cost_usd ?? 0) + (b.cost_usd ?? 0),
  input_tokens: (a.input_tokens ?? 0) + (b.input_tokens ?? 0),
  output_tokens: (a.output_tokens ?? 0) + (b.output_tokens ?? 0),
})
