// Measures what makes keys come back sooner: the spawner.

import { type BenchRow, median } from '../bench.ts'
import { echoesInTurns, LETTERS_A_LINE } from '../echo.ts'
import { PROGRAM } from '../fixtures.ts'
import { openDashboardOf } from '../stages.ts'
import { LEAST_OF_AN_ECHO_MS, rowOf } from './in-turns.ts'
import { buildWithout } from './without.ts'

/** Lines of LETTERS_A_LINE keys each. During the first lines, V8 still compiles the code that keys pass through. */
const FIRST_LINES = 50
const LATER_LINES = 40

/** The first is typed into. The others make five edits a second, so that the dashboard has git look at their work. */
const EDITING = [
  'exec cat',
  ...Array.from({ length: 3 }, () => 'n=0; while :; do n=$((n + 1)); echo $n >> edited.txt; sleep 0.2; done'),
]

export async function benchKeysBesideEditing(): Promise<BenchRow[]> {
  const builds = [PROGRAM, await buildWithout('the spawner')]
  const opens = builds.map((program) => (prompts: readonly string[]) => openDashboardOf(program, prompts))
  const keys = (FIRST_LINES + LATER_LINES) * LETTERS_A_LINE
  const [built = [], without = []] = (await echoesInTurns(opens, EDITING, keys)).map(linesOf)
  return SIGHTS.map(({ name, of }) =>
    rowOf({
      accelerator: 'the spawner',
      what: `echo beside 3 that edit, ${name}`,
      with: of(built),
      without: of(without),
      enough_ms: LEAST_OF_AN_ECHO_MS,
    }),
  )
}

/** The milliseconds of each key, line by line. */
type Lines = readonly (readonly number[])[]

/** What is compared: one value for each line. */
const SIGHTS = [
  { name: 'first keys', of: (lines: Lines) => lines.slice(0, FIRST_LINES).map(median) },
  { name: 'later keys', of: (lines: Lines) => lines.slice(FIRST_LINES).map(median) },
  {
    name: `slowest of ${LETTERS_A_LINE}`,
    of: (lines: Lines) => lines.slice(FIRST_LINES).map((line) => Math.max(...line)),
  },
]

const linesOf = (times: readonly number[]): Lines =>
  Array.from({ length: times.length / LETTERS_A_LINE }, (_, line) =>
    times.slice(line * LETTERS_A_LINE, (line + 1) * LETTERS_A_LINE),
  )
