// Times of day and days, where the person is.

/** `12:03`; empty where there is no time or it cannot be read. */
export function formatClock(at: string | null): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) return ''
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

const twoDigits = (amount: number): string => String(amount).padStart(2, '0')

/** `12:03:07 on 2026-01-28`; empty where there is no time or it cannot be read. */
export function formatMoment(at: string | null): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) return ''
  const day = [time.getMonth() + 1, time.getDate()].map(twoDigits).join('-')
  return `${formatClock(at)}:${twoDigits(time.getSeconds())} on ${time.getFullYear()}-${day}`
}
