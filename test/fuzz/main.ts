// `npm run test:fuzz`: tries random repositories, agents, verbs, kills and faults for as long as it is told, and says what
// it found. test/fuzz/README.md says how to read that.

import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setup as makeScratchPlace } from '../support/run/scratch-place.ts'
import { planCase } from './plan/plan.ts'
import { removePlaces } from './run/place.ts'
import { formatCase, formatCounts, formatSummary } from './run/report.ts'
import { runCase } from './run/run-case.ts'
import { shrinkCase } from './run/shrink.ts'
import { addResult, emptyTotals, type Totals } from './run/totals.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    cases: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    case: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    steps: { type: 'string' },
    program: { type: 'string', default: resolve('dist', 'agency.js') },
    plain: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})

/** Cases of one run follow each other from here. */
const first = values.case === undefined ? Number(values.seed) * 100_000 : Number(values.case)
const most = values.case !== undefined ? 1 : Number(values.cases ?? Number.POSITIVE_INFINITY)
const end = Date.now() + Number(values.minutes) * 60_000
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const totals: Totals = emptyTotals()
let next = first

async function work(): Promise<void> {
  while (next - first < most && (values.case !== undefined || Date.now() < end)) {
    await tryCase(next++)
    if (totals.cases % 20 === 0) say(formatCounts(totals))
  }
}

async function tryCase(seed: number): Promise<void> {
  const whole = planCase(seed, { plain: values.plain })
  const kept = values.steps?.split(',').map(Number)
  const asked =
    kept === undefined ? whole : { ...whole, steps: whole.steps.filter((_, at) => kept.includes(at)) }
  try {
    const plan = values.shrink ? await shrinkCase(asked, { program: values.program }, say) : asked
    const result = await runCase(plan, { keep: values.keep, program: values.program })
    const fresh = addResult(totals, result)
    if (fresh.length > 0 || values.case !== undefined || values.verbose) say(formatCase(plan, result))
  } catch (error) {
    const text = String(error instanceof Error ? error.stack : error)
    totals.broken.push(`${seed}: ${text}`)
    say(`case ${seed} could not be run: ${text}`)
  }
}

/** If a verb takes all memory, it is ended before anything else of the machine's. */
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '800')
/** What is kept stays where the machine keeps files. */
const clear = values.keep ? () => {} : makeScratchPlace()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    removePlaces()
    clear()
    console.log(formatSummary(totals))
    process.exit(1)
  })
}
say(`seed ${values.seed}, cases from ${first}`)
await Promise.all(Array.from({ length: most === 1 ? 1 : Number(values.jobs) }, work))
clear()
console.log(values.json ? JSON.stringify(totals) : formatSummary(totals))
process.exit(totals.findings.length + totals.broken.length > 0 ? 1 : 0)
