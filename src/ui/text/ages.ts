// Times as people read them in a list: short, one unit.

const UNITS: readonly (readonly [suffix: string, seconds: number, upTo: number])[] = [
  ['s', 1, 60],
  ['m', 60, 60],
  ['h', 3600, 48],
  ['d', 86_400, 60],
  ['mo', 2_629_800, 24],
  ['y', 31_557_600, Infinity],
]

/** `12s`, `3m`, `2h`, `5d`, `4mo`, `3y`. `0s` if the time lies in the future, because some clock is wrong. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds / 1000)
  const [suffix, size] = UNITS.find(([, unit, upTo]) => Math.floor(seconds / unit) < upTo) ?? [
    'y',
    31_557_600,
  ]
  return `${Math.floor(seconds / size)}${suffix}`
}

/** How long ago an RFC 3339 time was; empty if there is none or it cannot be read. */
export function formatAge(at: string | null, now: Date): string {
  const then = at === null ? Number.NaN : Date.parse(at)
  return Number.isNaN(then) ? '' : formatDuration(now.getTime() - then)
}
