// What to say when a run has ended well and yet done nothing: by default the known runners write nothing without
// asking, and a headless run has nobody to ask. Agency never loosens a permission by itself; it says how to.

import type { InvocationRecord } from '../../core/model/invocation.ts'
import { count } from './amounts.ts'
import { type Span, span } from './line.ts'

/** Arguments that let a runner write in its sandbox. For a runner without a row we have no advice. */
const WRITE_ARGS: Readonly<Record<string, string>> = {
  claude: '--runner-arg --permission-mode --runner-arg acceptEdits',
  codex: '--runner-arg -s --runner-arg workspace-write',
}

/** Whether it matters how much a run has changed: finding that out takes time. */
export const mayBeDenied = (record: InvocationRecord): boolean =>
  record.mode === 'headless' && ((record.usage?.denied_tools.length ?? 0) > 0 || record.runner in WRITE_ARGS)

export function viewDenials(record: InvocationRecord, changedFiles: number): Span[] {
  const denied = record.usage?.denied_tools ?? []
  const nothing = record.status === 'finished' && changedFiles === 0
  if (denied.length === 0 && !(nothing && record.runner in WRITE_ARGS)) return []
  return [span(formatDenial(denied, nothing), 'needs_you'), ...viewAdvice(record.runner)]
}

function formatDenial(denied: readonly string[], nothing: boolean): string {
  const effect = nothing ? 'it changed nothing' : ''
  if (denied.length === 0) return effect
  const refused = `${count(denied.length, 'tool call')} ${denied.length === 1 ? 'was' : 'were'} DENIED (${[...new Set(denied)].join(', ')})`
  return effect === '' ? refused : `${refused}, and ${effect}`
}

function viewAdvice(runner: string): Span[] {
  const args = WRITE_ARGS[runner]
  return [
    args === undefined
      ? 'start it again with what its own permissions need: --runner-arg ARG, or -- ARGS'
      : `to let it write, start it again with: ${args}`,
  ]
}
