// The last line: what is being done or the keys that apply now, and what needs a person.

import { formatDuration } from '../../text/ages.ts'
import { lineWidth, spreadLine } from '../../text/fit-line.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { stillGlyph } from '../glyphs.ts'
import type { Counters } from '../observe/snapshot.ts'
import type { Look } from '../scene.ts'
import type { Task } from '../state/dashboard-state.ts'

export interface FooterKey {
  /** As it is shown: `⏎`, `Ctrl-\`. */
  readonly key: string
  readonly label: string
}

export interface FooterView {
  readonly keys: readonly FooterKey[]
  readonly tasks: readonly Task[]
  readonly counters: Counters
  /** Milliseconds since the epoch; null while what is shown is fresh. */
  readonly stale_since: number | null
  readonly width: number
}

export function viewFooter(footer: FooterView, look: Look): Line {
  const right = [...staleness(footer, look), ...counterSpans(footer.counters, look)]
  const left = [...taskSpans(footer.tasks, look), ...keySpans(footer, lineWidth(right))]
  return spreadLine(left, right, footer.width)
}

/** Work that takes longer than this is named, with its progress. */
const PATIENCE = 400

function taskSpans(tasks: readonly Task[], look: Look): Span[] {
  const [task] = tasks.filter(({ since }) => look.now.getTime() - since > PATIENCE)
  if (task === undefined) return []
  const more = tasks.length > 1 ? ` and ${tasks.length - 1} more` : ''
  const told = task.progress === '' ? '' : `: ${task.progress}`
  const age = formatDuration(look.now.getTime() - task.since)
  return [span(` ${task.words}${told} ${age}${more} `, 'working')]
}

/** As many as there is room for, in their order; help is always one of them. */
function keySpans({ keys, width }: FooterView, taken: number): Span[] {
  const help = keys.find(({ label }) => label === 'help')
  const others = keys.filter((key) => key !== help)
  let room = width - taken - 2 - (help === undefined ? 0 : lineWidth(keySpan(help)))
  const shown: Span[] = []
  for (const key of others) {
    const spans = keySpan(key)
    room -= lineWidth(spans)
    if (room < 0) break
    shown.push(...spans)
  }
  return help === undefined ? shown : [...shown, ...keySpan(help)]
}

const keySpan = ({ key, label }: FooterKey): Span[] => [' ', span(key, 'key'), span(` ${label} `, 'dim')]

function counterSpans({ working, needs_you, ready, failed }: Counters, look: Look): Span[] {
  const parts = [
    [working, stillGlyph('working', look), 'working'],
    [needs_you, stillGlyph('needs_input', look), 'needs_you'],
    [ready, stillGlyph('ready', look), 'ready'],
    [failed, stillGlyph('failed', look), 'failed'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, sign, as], index) => span(`${index === 0 ? '' : ' '}${amount}${sign}`, as))
}

function staleness({ stale_since }: FooterView, look: Look): Span[] {
  if (stale_since === null) return []
  return [span(`as of ${formatDuration(look.now.getTime() - stale_since)} ago  `, 'needs_you')]
}
