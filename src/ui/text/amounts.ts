// Counts, money and sizes in words.

import type { Usage } from '../../core/model/invocation.ts'

/** `1 commit`, `3 commits`. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount} ${amount === 1 ? noun : plural}`

export const formatCost = (dollars: number | null | undefined): string =>
  dollars === null || dollars === undefined ? '' : `$${dollars.toFixed(2)}`

/** `950`, `12k`, `3.4M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return tokens < 1_000_000 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1_000_000).toFixed(1)}M`
}

/** `512 B`, `12 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** `3 turns, 12k in, 2k out, $0.31`. Leaves out what the runner has not told. */
export function formatUsage(usage: Usage): string {
  return [
    usage.turns === null ? '' : count(usage.turns, 'turn'),
    usage.input_tokens === null ? '' : `${formatTokens(usage.input_tokens)} in`,
    usage.output_tokens === null ? '' : `${formatTokens(usage.output_tokens)} out`,
    formatCost(usage.cost_usd),
  ]
    .filter((part) => part !== '')
    .join(', ')
}
