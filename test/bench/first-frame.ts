// Measures the time from the command line to the dashboard's first complete frame, and to the first with agents in it.

import { type BenchRow, compare } from './bench.ts'
import { type Bench, makeBench } from './fixtures.ts'
import { openOuterTerminal } from './outer-terminal.ts'
import { openDashboard } from './stages.ts'

const ROUNDS = 15
export const FRAME_END = '\x1b[?2026l'

export async function benchFirstFrame(): Promise<BenchRow[]> {
  const bench = makeBench(50)
  bench.agency('worktree', 'create', '--name', 'bench')
  const [id] = ['first', 'second'].map((name) => startBriefly(bench, name))
  const row = {
    rounds: ROUNDS,
    reference_name: 'node -e, to its first line',
    reference: () => bareNode(bench),
  }
  return [
    await compare({
      ...row,
      what: 'first frame of the dashboard',
      ours: () => timeTo(bench, FRAME_END),
      target: 'at most 3x',
      met: (ours, reference) => ours <= 3 * reference,
    }),
    await compare({
      ...row,
      what: 'first frame with the agents in it',
      ours: () => timeTo(bench, id?.slice(-4) ?? ''),
      target: 'for comparison',
    }),
  ]
}

export function startBriefly({ agency }: Bench, name: string): string {
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--headless', '--name', name]
  const envelope = JSON.parse(agency(...start, '--prompt', 'true', '--json'))
  return envelope.data.invocation.invocation_id
}

export async function timeTo(bench: Bench, text: string): Promise<number> {
  const terminal = openDashboard(bench)
  const time = await terminal.writes(text)
  await terminal.end()
  return time
}

async function bareNode({ root }: Bench): Promise<number> {
  const argv = [process.execPath, '-e', 'console.log("ready")'] as const
  const terminal = openOuterTerminal({ argv, cwd: root })
  const time = await terminal.writes('ready')
  await terminal.end()
  return time
}
