// What a case found, and which findings are the same one: they have one signature, in which nothing of a single case is left.

export interface Finding {
  readonly seed: number
  readonly signature: string
  readonly detail: string
}

const ANY: readonly (readonly [RegExp, string])[] = [
  [/\d{14}-[0-9a-f]{4}(-\d{14}-[0-9a-f]{4})?/g, 'ID'],
  [/(['"]?)\/(?:[^\s'":,]|\\ )+(?:fuzz-\d+-|agency-\d)(?:[^\s'":,])*/g, 'PATH'],
  [/\b[0-9a-f]{7,64}\b/g, 'HEX'],
  [/step \d+|-\d+\b/g, '-N'],
  [/\d+/g, 'N'],
  [/\s+/g, ' '],
]

/** A sentence without its ids, paths and numbers. */
export const generalize = (text: string): string =>
  ANY.reduce((general, [pattern, word]) => general.replace(pattern, word), text).slice(0, 160)

export interface Group {
  readonly signature: string
  readonly count: number
  /** The smallest first. */
  readonly seeds: readonly number[]
  readonly example: string
}

/** The most frequent first. */
export function groupFindings(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings)
    groups.set(finding.signature, [...(groups.get(finding.signature) ?? []), finding])
  return [...groups]
    .map(([signature, all]) => ({
      signature,
      count: all.length,
      seeds: [...new Set(all.map(({ seed }) => seed))].sort((a, b) => a - b),
      example: all[0]?.detail ?? '',
    }))
    .sort((a, b) => b.count - a.count)
}
