// The demo in the dashboard: three agents at work. One is to be watched, one to be landed, and one conflicts with it.

import type { Agency, StartRequest } from '../../../core/facade/agency.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { openDashboard } from '../../screen/app/open-dashboard.ts'
import { type Action, BINDINGS } from '../../screen/keys/bindings.ts'
import { showChord } from '../../screen/keys/chord-names.ts'
import { resolveBindings } from '../../screen/keys/resolve-bindings.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import type { Call } from '../commands/command.ts'
import type { DemoPlace } from './demo-place.ts'

const TREE = 'greetings'

const FAREWELL = `echo 'Reading greet.sh'
sleep 2
echo 'Adding a farewell'
echo 'echo "Goodbye, $1"' >> greet.sh
git commit -qam 'Say goodbye'
sleep 2
echo 'Writing a test for it'
printf 'sh greet.sh You | grep -q Goodbye\\n' > test.sh
git add test.sh
git commit -qm 'Test the farewell'
sleep 1
echo 'Done: two commits'`

const RIVAL = `echo 'Making it more polite'
sleep 3
echo 'echo "Have a nice day, $1"' >> greet.sh
echo 'Collecting ideas'
sleep 3
printf '%s\\n' '# Ideas' '' '- Ask how it goes' '- Mind the time of day' > IDEAS.md
sleep 2
echo 'Left as it is, for you to look at'`

const AGENTS: readonly Pick<StartRequest, 'name' | 'mode' | 'prompt'>[] = [
  { name: 'translator', mode: 'headed', prompt: 'sh tools/translate.sh' },
  { name: 'farewell', mode: 'headless', prompt: FAREWELL },
  { name: 'polite', mode: 'headless', prompt: RIVAL },
]

/** Resolves when the person leaves. */
export async function showDemo({ console }: DemoPlace, call: Call): Promise<void> {
  call.say(span('Making a throw-away repository with three agents at work …', 'dim'))
  const agency = await console.openAgency(console.cwd, console.env)
  await agency.createWorktree({ name: TREE })
  const ids: InvocationId[] = []
  for (const agent of AGENTS) {
    const request = { ...agent, worktree: TREE, runner: 'shell', prompt_source: 'text' } as const
    ids.push((await agency.startInvocation(request)).invocation_id)
  }
  await openDashboard(console, agency, { greeting: greetPerson(agency), selected: ids[0] ?? null })
}

/** Shows keys as the person has configured them. */
function greetPerson({ config }: Agency): Line[] {
  const bindings = resolveBindings(BINDINGS, config.keys)
  const key = (action: Action): Span => {
    const [chord] = bindings.find((binding) => binding.action === action)?.chords ?? []
    return span(chord === undefined ? `:${action}` : showChord(chord, { ascii: true }), 'key')
  }
  const back = [key('pane.leave'), ' when done']
  const landing = [
    ...[key('invocation.land'), ' lands it, ', key('invocation.discard'), ' drops it, '],
    ...[key('anywhere.undo'), ' undoes either'],
  ]
  return [
    ['Three scripts play agents in a throw-away repository. ', key('move.leave'), ' hides this.'],
    '',
    [key('anywhere.next'), ' to one that needs you, ', key('invocation.focus'), ' to answer it, ', ...back],
    [key('invocation.diff'), ' what an agent changed; ', ...landing],
    [key('anywhere.quit'), ' leave: the agents are ended, the repository is deleted'],
    '',
    'farewell and polite changed the same line: land one, then the other.',
  ]
}
