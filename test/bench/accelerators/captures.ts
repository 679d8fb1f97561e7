// Measures the ways to capture a tree that are quicker than the careful one: by the paths that changed, by one look,
// and by a look that was kept.

import { knownLocation } from '../../../src/core/changesets/location.ts'
import { openChangeset } from '../../../src/core/changesets/open-changeset.ts'
import { captureCarefully } from '../../../src/core/changesets/worktree/capture/capture-carefully.ts'
import { captureQuickly } from '../../../src/core/changesets/worktree/capture/capture-quickly.ts'
import type { CaptureRequest } from '../../../src/core/changesets/worktree/capture/describe-capture.ts'
import { linkedHeads } from '../../../src/core/doors/git/read-head.ts'
import { type BenchRow, timed } from '../bench.ts'
import { editOne, makeStage, type Stage, takeOne } from '../checkpoint.ts'
import { readySpawner } from '../doors.ts'
import { makeBench } from '../fixtures.ts'
import { landAsItIs, makeStage as makeLandingStage } from '../land.ts'
import { compareWays } from './in-turns.ts'

const SIZES = [
  { files: 200, rounds: 20 },
  { files: 10_000, rounds: 20 },
  { files: 100_000, rounds: 8 },
]

export async function benchCaptures(): Promise<BenchRow[]> {
  const spawner = await readySpawner()
  const rows: BenchRow[] = []
  for (const { files, rounds } of SIZES) {
    const stage = await makeStage(files, spawner)
    const named = `${files.toLocaleString('en')} files`
    rows.push(
      ...(await compareWays(`checkpoint, ${named}`, rounds, {
        asBuilt: () => takeOne(stage, true),
        without: { 'by paths': () => takeOne(stage, false) },
      })),
      ...(await compareWays(`capture, ${named}`, rounds, {
        asBuilt: () => captureOne(stage, captureQuickly),
        without: { quickly: () => captureOne(stage, (request) => captureCarefully(request, [])) },
      })),
    )
  }
  return rows
}

async function captureOne(
  stage: Stage,
  capture: (request: CaptureRequest) => Promise<object | null>,
): Promise<number> {
  const { repository, record } = stage
  editOne(stage)
  const { git } = repository
  const where = knownLocation(record)
  const request = {
    git,
    where,
    heads: linkedHeads({ git, where, fallbackHead: record.base_commit }),
    scratchDir: repository.paths.invocation(record.invocation_id).sandboxDir,
    fallbackHead: record.base_commit,
  }
  let taken: object | null = null
  const took = await timed(async () => {
    taken = await capture(request)
  })
  if (taken === null || !('capture' in taken)) throw new Error('it was not captured this way')
  return took
}

const LANDING = { files: 100_000, rounds: 12 }

/** Lands one commit, with a look that the host kept after the agent's end, and without one. */
export async function benchKeptLook(): Promise<BenchRow[]> {
  const spawner = await readySpawner()
  const bench = makeBench(LANDING.files)
  bench.agency('worktree', 'create', '--name', 'bench')
  const stage = await makeLandingStage(bench, 1, spawner)
  const { repository, record } = stage
  return compareWays(`land, ${LANDING.files.toLocaleString('en')} files`, LANDING.rounds, {
    asBuilt: async () => {
      await openChangeset(repository, record).keepLook()
      return landAsItIs(stage)
    },
    without: { 'kept look': () => landAsItIs(stage) },
  })
}
