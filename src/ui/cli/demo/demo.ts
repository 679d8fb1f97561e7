// agency demo: everything for real, on a throw-away repository with the built-in shell runner. In the dashboard if
// there is a terminal, otherwise as a plain transcript.

import { isTerminal } from '../../person/is-terminal.ts'
import type { Call, Result } from '../commands/command.ts'
import { type DemoPlace, openDemoPlace } from './demo-place.ts'

export async function runDemo(call: Call): Promise<Result> {
  const keep = call.flag('keep')
  const place = await openDemoPlace(call.console, keep)
  const transcript = await playIn(place, call).finally(place.end)
  const kept = keep ? { repository: place.repository, data_dir: place.data_dir } : null
  return { data: { transcript, kept }, view: () => viewDemoEnd(place, keep) }
}

/** Resolves with the transcript if that goes to --json. */
async function playIn(place: DemoPlace, call: Call): Promise<string> {
  if (call.json || call.flag('transcript') || !isTerminal(call.console)) {
    return (await import('./demo-transcript.ts')).playTranscript(place, call)
  }
  await (await import('./demo-dashboard.ts')).showDemo(place, call)
  return ''
}

function viewDemoEnd({ repository, data_dir }: DemoPlace, keep: boolean): string[] {
  if (!keep) {
    return [
      'That was the demo. Its agents were ended, and the throw-away repository is gone.',
      'For one of your own: cd to it, and type agency.',
    ]
  }
  return [
    'The demo is kept; its agents were ended. Look around:',
    `  cd '${repository}' && export AGENCY_DATA_DIR='${data_dir}'`,
  ]
}
