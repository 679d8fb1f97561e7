// What makes keys come back sooner, and what an agent prints: line images, the spawner.

import { type BenchRow, median } from '../bench.ts'
import { echoesInTurns, LETTERS_A_LINE } from '../echo.ts'
import { PROGRAM } from '../fixtures.ts'
import { agentProgram, openDashboardOf } from '../stages.ts'
import { LEAST_OF_AN_ECHO_MS, rowOf } from './in-turns.ts'
import { buildWithout, type Lacking } from './without.ts'

/** Of LETTERS_A_LINE keys each. In the first V8 still compiles what they pass through. */
const FIRST_LINES = 50
const LATER_LINES = 40

const ALONE = ['exec cat']
const PRINTING = [...ALONE, ...Array.from({ length: 3 }, () => agentProgram('endless'))]
/** Five edits a second, so that the dashboard has git look at the work. */
const EDITING = [
  ...ALONE,
  ...Array.from({ length: 3 }, () => 'n=0; while :; do n=$((n + 1)); echo $n >> edited.txt; sleep 0.2; done'),
]

export const benchKeysBesidePrinting = (): Promise<BenchRow[]> =>
  compareEchoes('echo beside 3 that print', PRINTING, ['line images'])

export const benchKeysBesideEditing = (): Promise<BenchRow[]> =>
  compareEchoes('echo beside 3 that edit', EDITING, ['the spawner'])

async function compareEchoes(
  what: string,
  programs: readonly string[],
  lacking: readonly Lacking[],
): Promise<BenchRow[]> {
  const builds = [PROGRAM]
  for (const accelerator of lacking) builds.push(await buildWithout(accelerator))
  const opens = builds.map((program) => (prompts: readonly string[]) => openDashboardOf(program, prompts))
  const keys = (FIRST_LINES + LATER_LINES) * LETTERS_A_LINE
  const echoes = await echoesInTurns(opens, programs, keys)
  const [built = [], ...others] = echoes.map(linesOf)
  return lacking.flatMap((accelerator, at) =>
    SIGHTS.map(({ name, of }) =>
      rowOf({
        accelerator,
        what: `${what}, ${name}`,
        with: of(built),
        without: of(others[at] ?? []),
        enough_ms: LEAST_OF_AN_ECHO_MS,
      }),
    ),
  )
}

/** The milliseconds of each key of each line. */
type Lines = readonly (readonly number[])[]

/** What is compared of each line. */
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
