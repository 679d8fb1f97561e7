// The facade's verbs for somebody who watches all day: reading in slices, and being told of changes.

import type { SurveyMemory } from '../operations/invocations/survey.ts'
import type { Repository } from '../store/repository.ts'
import type { Agency } from './agency.ts'

type WatchingVerbs = Pick<
  Agency,
  'surveyInvocations' | 'surveyWorktrees' | 'stampBranches' | 'operationsFrom' | 'watchRecords'
>

interface Watching {
  /** The repository, once an interrupted landing has been finished. */
  readonly ready: () => Promise<Repository>
  /** Seconds. */
  readonly stalled_after: number
}

export function watchingVerbs(repository: Repository, { ready, stalled_after }: Watching): WatchingVerbs {
  let memory: SurveyMemory | null = null
  const survey = () => import('../operations/invocations/survey.ts')
  return {
    surveyInvocations: async (options = {}) => {
      const { createSurveyMemory, surveyInvocations } = await survey()
      memory ??= createSurveyMemory(repository.paths)
      return surveyInvocations(await ready(), { ...options, stalled_after, memory })
    },
    surveyWorktrees: async () => (await survey()).surveyWorktrees(await ready()),
    stampBranches: async (worktrees) =>
      (await import('../operations/integration/stamp-branches.ts')).stampBranches(await ready(), worktrees),
    operationsFrom: async (place) =>
      (await import('../store/operations-log.ts')).readOperationsFrom((await ready()).paths, place),
    watchRecords: async (listener) => {
      const { watchRecordFiles } = await import('../store/record-watcher.ts')
      const { statusDirs } = await import('../changesets/status-file.ts')
      const { watchDirectory } = repository.effects
      const { paths } = repository
      return watchRecordFiles({ paths, watchDirectory, statusDirs: (id) => statusDirs(paths, id) }, listener)
    },
  }
}
