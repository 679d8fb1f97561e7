// Measures two things side by side in one run. Machines are noisy, so only the ratio of two that took turns says much.

export interface BenchRow {
  readonly what: string
  /** Median, in `unit`. */
  readonly ours: number
  readonly reference_name: string
  /** Median, in `unit`. */
  readonly reference: number
  readonly unit: 'ms' | 'MB' | '%'
  /** What the row should show, in words; `met` says whether it does. */
  readonly target: string
  readonly met: boolean | null
}

export interface Comparison {
  readonly what: string
  readonly rounds: number
  /** `ours` and `reference` each do the thing once, and return how many milliseconds it took. */
  readonly ours: () => Promise<number>
  readonly reference_name: string
  readonly reference: () => Promise<number>
  readonly target: string
  readonly met?: (ours: number, reference: number) => boolean
}

/** Measures both in turns. If there are more than three rounds, the first is a warm-up and left out. */
export async function compare(comparison: Comparison): Promise<BenchRow> {
  const ours: number[] = []
  const reference: number[] = []
  for (let round = 0; round < comparison.rounds; round++) {
    ours.push(await comparison.ours())
    reference.push(await comparison.reference())
  }
  const skip = comparison.rounds > 3 ? 1 : 0
  const [a, b] = [median(ours.slice(skip)), median(reference.slice(skip))]
  return {
    what: comparison.what,
    ours: a,
    reference_name: comparison.reference_name,
    reference: b,
    unit: 'ms',
    target: comparison.target,
    met: comparison.met?.(a, b) ?? null,
  }
}

export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] =
    sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]]
  return (low + high) / 2
}

export function formatRow(row: BenchRow): string {
  const number = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ${row.unit}`
  const verdict = row.met === null ? '' : row.met ? '  met' : '  MISSED'
  const ratio = row.reference === 0 ? '' : `${(row.ours / row.reference).toFixed(2)}x`
  return [
    row.what.padEnd(52),
    number(row.ours).padStart(10),
    `${row.reference_name} ${number(row.reference)}`.padStart(38),
    ratio.padStart(8),
    `  (${row.target})${verdict}`,
  ].join(' ')
}
