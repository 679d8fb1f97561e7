// Times of day, and days, in the person's time zone.

/** `12:03`; empty if there is no time or it cannot be read. */
export function formatClock(at: string | null): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) return ''
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

const twoDigits = (amount: number): string => String(amount).padStart(2, '0')

/** `12:03:07 on 2026-01-28`; empty if there is no time or it cannot be read. */
export function formatMoment(at: string | null): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) return ''
  const day = [time.getMonth() + 1, time.getDate()].map(twoDigits).join('-')
  return `${formatClock(at)}:${twoDigits(time.getSeconds())} on ${time.getFullYear()}-${day}`
}
