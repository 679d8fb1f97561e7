// The facade's verbs for starting an agent and staying with it. Like its others they hold no rule, and load a verb's own
// code when it is called.

import { AgencyError } from '../model/errors.ts'
import { type InvocationRecord, isActive } from '../model/invocation.ts'
import { hostSocket } from '../operations/invocations/host-socket.ts'
import type { StartingAgency } from './agency.ts'
import { type Context, find, viewRecord } from './open-context.ts'

export function startingVerbs(context: Context): StartingAgency {
  const { cwd, ready, repository, config } = context
  return {
    config,
    createWorktree: async ({ name, parent }) =>
      (await import('../operations/integration/create-worktree.ts')).createWorktree(await ready(), {
        name,
        parent,
        cwd,
      }),
    startInvocation: async (request) => {
      await ready()
      const { resolveStart } = await import('../operations/invocations/resolve-start.ts')
      const { startInvocation } = await import('../operations/invocations/start-invocation.ts')
      return await startInvocation(repository, resolveStart(repository, request, config))
    },
    showInvocation: async (typed) => viewRecord(context, await find(context, typed)),
    waitInvocation: async (typed, options = {}) => {
      const { waitInvocation } = await import('../operations/invocations/wait-invocation.ts')
      return viewRecord(context, await waitInvocation(repository, await find(context, typed), options))
    },
    logPaths: async (typed) => {
      const { invocation_id } = await find(context, typed)
      const { raw, stderr, stream, cast } = repository.paths.invocation(invocation_id)
      return { raw, stderr, stream, cast }
    },
    attach: async (typed, size, events) =>
      repository.effects.hosts.attach(terminalOf(context, await find(context, typed)), size, events),
    diffInvocation: async (typed, request = {}) =>
      (await import('../operations/sandboxes/diff-invocation.ts')).diffInvocation(
        repository,
        await find(context, typed),
        request,
      ),
  }
}

/** The socket of a running headed invocation. */
export function terminalOf({ repository }: Context, record: InvocationRecord): string {
  const id = record.invocation_id
  if (record.mode !== 'headed')
    throw new AgencyError('E_INVOCATION_NOT_HEADED', `${id} is headless: it has no terminal`)
  if (!isActive(record) || record.host === null) {
    throw new AgencyError('E_INVOCATION_NOT_RUNNING', `${id} is not running`)
  }
  return hostSocket(repository, record)
}
