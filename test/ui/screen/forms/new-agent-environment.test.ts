import { expect, test } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import type { EnvironmentView } from '../../../../src/core/model/environment-catalog.ts'
import { NO_MEMORY } from '../../../../src/ui/screen/forms/form-memory.ts'
import {
  memoryOf,
  type NewAgent,
  type NewAgentFacts,
  openNewAgent,
  receiveRunners,
} from '../../../../src/ui/screen/forms/new-agent.ts'
import { type NewAgentStep, typeInNewAgent } from '../../../../src/ui/screen/forms/type-new-agent.ts'
import { viewNewAgent } from '../../../../src/ui/screen/forms/view-new-agent.ts'
import { picture } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { CLAUDE } from '../../../support/dashboard/runner-views.ts'
import { keys } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 80, rows: 24 }

const view = (name: string, changes: Partial<EnvironmentView> = {}): EnvironmentView => ({
  environment: { ...LOCAL_ENVIRONMENT, name },
  is_default: false,
  words: `what ${name} means`,
  refusals: [],
  ...changes,
})

const REFUSED = [
  {
    code: 'E_ISOLATION_UNAVAILABLE',
    message: "there is no 'bwrap' on PATH",
    hint: 'apt install bubblewrap',
  } as const,
]

const FACTS: NewAgentFacts = {
  worktrees: ['my-feature'],
  selected: 'my-feature',
  branch: 'main',
  runners: [CLAUDE],
  environments: [view('local', { is_default: true }), view('boxed'), view('vm', { refusals: REFUSED })],
  default_runner: 'claude',
  memory: NO_MEMORY,
}

function typed(state: NewAgent, ...chords: readonly string[]): NewAgentStep {
  let step: NewAgentStep = { state, outcome: { kind: 'open' } }
  for (const event of keys(...chords)) step = typeInNewAgent(step.state, event, SIZE)
  return step
}

const drawn = (state: NewAgent): string => picture(viewNewAgent(state, SIZE, LOOK).boxes, SIZE)

/** With the focus on it. */
const atBox = (facts: Partial<NewAgentFacts> = {}): NewAgent =>
  typed(openNewAgent({ ...FACTS, ...facts }), 'shift+tab').state

test('a form begins with the default, and says what the chosen one means', () => {
  const state = atBox()
  expect(state).toMatchObject({ focus: 'environment', environment: 'local' })
  expect(drawn(state)).toContain('● local   ○ boxed   ○ vm')
  expect(drawn(state)).toContain('what local means')
  expect(drawn(typed(state, 'right').state)).toContain('what boxed means')
})

test('the chosen one is asked for, and remembered for the next form', () => {
  const state = typed(atBox(), 'right').state
  const { outcome } = typed(state, 'ctrl+s')
  expect(outcome).toMatchObject({ kind: 'submitted', value: { request: { environment: 'boxed' } } })
  const memory = memoryOf(state, 'started')
  expect(openNewAgent({ ...FACTS, memory }).environment).toBe('boxed')
})

test('one that cannot be had here is not started in; the reason and what to type stand below it', () => {
  const state = typed(atBox(), 'left').state
  expect(drawn(state)).toContain("there is no 'bwrap' on PATH")
  expect(drawn(state)).toMatch(/no 'bwrap' on PATH[\s\S]*apt install bubblewrap[\s\S]*vm cannot be had here/)
  expect(typed(state, 'ctrl+s')).toMatchObject({ outcome: { kind: 'open' }, state: { focus: 'environment' } })
})

test('while they are being looked at none is asked for, and one that has gone gives way to the default', () => {
  const looking = openNewAgent({ ...FACTS, environments: null })
  expect(drawn(looking)).toContain('looking what works here')
  const { outcome } = typed(looking, 'ctrl+s')
  expect(outcome.kind === 'submitted' && 'environment' in outcome.value.request).toBe(false)
  const remembered = openNewAgent({
    ...FACTS,
    environments: null,
    memory: { ...NO_MEMORY, environment: 'gone' },
  })
  const { runners, environments } = FACTS
  expect(receiveRunners(remembered, { runners, environments }).environment).toBe('local')
})
