// Times of day in a log, where the person is.

/** `12:03`; empty where there is no time or it cannot be read. */
export function formatClock(at: string | null): string {
  const time = at === null ? null : new Date(at)
  if (time === null || Number.isNaN(time.getTime())) return ''
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

const twoDigits = (amount: number): string => String(amount).padStart(2, '0')
