// Measures what makes the program begin sooner: kept code, and a program of its own for the dashboard. Also measures
// index halves, which fill a sandbox's tree sooner.

import { type BenchRow, timed } from '../bench.ts'
import { FRAME_END, startBriefly, timeTo } from '../first-frame.ts'
import { makeBench, withProgram } from '../fixtures.ts'
import { onQuietDisk, startToExec } from '../start.ts'
import { compareWays, type Way } from './in-turns.ts'
import { buildWithout, copyWithoutCode } from './without.ts'

const ROUNDS = 80
const SIZES = [
  { files: 10_000, rounds: 20 },
  { files: 100_000, rounds: 6 },
]

export async function benchStarts(): Promise<BenchRow[]> {
  const bench = makeBench(200)
  bench.agency('worktree', 'create', '--name', 'bench')
  startBriefly(bench, 'first')
  const start = (program: string): Way => {
    return () => onQuietDisk(() => startToExec(withProgram(bench, program)))
  }
  const show = (program: string): Way => {
    return () => timeTo(withProgram(bench, program), FRAME_END)
  }
  const list = (program: string): Way => {
    return async () => timed(() => withProgram(bench, program).agency('agent', 'ls'))
  }
  const bare = copyWithoutCode()
  const screen = await buildWithout('the screen program')
  return [
    ...(await compareWays('agent ls', ROUNDS, {
      asBuilt: list(bench.program),
      without: { 'kept code': list(bare) },
    })),
    ...(await compareWays('first frame', ROUNDS, {
      asBuilt: show(bench.program),
      without: { 'kept code': show(bare), 'a screen program': show(screen) },
    })),
    ...(await compareWays('start of an agent', ROUNDS, {
      asBuilt: start(bench.program),
      without: { 'kept code': start(bare) },
    })),
  ]
}

export async function benchHalves(): Promise<BenchRow[]> {
  const without = await buildWithout('index halves')
  const rows: BenchRow[] = []
  for (const { files, rounds } of SIZES) {
    const bench = makeBench(files)
    bench.agency('worktree', 'create', '--name', 'bench')
    const start = (program: string): Way => {
      return () => onQuietDisk(() => startToExec(withProgram(bench, program)))
    }
    const what = `start of an agent, ${files.toLocaleString('en')} files`
    const ways = { asBuilt: start(bench.program), without: { 'index halves': start(without) } }
    rows.push(...(await compareWays(what, rounds, ways)))
  }
  return rows
}
