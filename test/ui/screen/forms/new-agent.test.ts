import { expect, test } from 'vitest'
import { NO_MEMORY } from '../../../../src/ui/screen/forms/form-memory.ts'
import {
  memoryOf,
  type NewAgent,
  type NewAgentFacts,
  openNewAgent,
  receiveEdited,
  receiveRunners,
  showFailure,
  showProgress,
} from '../../../../src/ui/screen/forms/new-agent.ts'
import { type NewAgentStep, typeInNewAgent } from '../../../../src/ui/screen/forms/type-new-agent.ts'
import { viewNewAgent } from '../../../../src/ui/screen/forms/view-new-agent.ts'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { drawBoxes, picture } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { CLAUDE, CODEX, NO_CODEX, SHELL } from '../../../support/dashboard/runner-views.ts'
import { click, key, keys, paste, typing, wheel } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 80, rows: 24 }

const FACTS: NewAgentFacts = {
  worktrees: ['my-feature', 'bugfix-auth'],
  selected: 'my-feature',
  branch: 'main',
  runners: [CLAUDE, NO_CODEX, SHELL],
  environments: [],
  default_runner: 'claude',
  memory: NO_MEMORY,
}

const open = (facts: Partial<NewAgentFacts> = {}): NewAgent => openNewAgent({ ...FACTS, ...facts })

function press(state: NewAgent, ...events: readonly InputEvent[]): NewAgentStep {
  let step: NewAgentStep = { state, outcome: { kind: 'open' } }
  for (const event of events) step = typeInNewAgent(step.state, event, SIZE)
  return step
}

const typed = (state: NewAgent, ...chords: readonly string[]): NewAgent =>
  press(state, ...keys(...chords)).state
const drawn = (state: NewAgent, size: Size = SIZE): string =>
  picture(viewNewAgent(state, size, LOOK).boxes, size)

function order(step: NewAgentStep) {
  if (step.outcome.kind !== 'submitted') throw new Error(`it is ${step.outcome.kind}\n${drawn(step.state)}`)
  return step.outcome.value
}

test('asks for all that an agent needs, the prompt first where there is a worktree', () => {
  expect(drawn(open())).toMatchInlineSnapshot(`
    "
      ┏ New agent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ Worktree    ● my-feature   ○ bugfix-auth   ○ new…                        ┃
      ┃ Agent name  optional                                                     ┃
      ┃ Runner      ● claude 2.1.330   ○ shell                                   ┃
      ┃             not ready: codex                                             ┃
      ┃ Mode        ● headed   ○ headless                                        ┃
      ┃ Model       the runner's own; or opus, sonnet, haiku                     ┃
      ┃ May         ● as you configured   ○ edit files   ○ edit and commit       ┃
      ┣ Prompt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ what it is to do; empty starts it without a word                         ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┣━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ Ctrl-S start  Tab next field  Ctrl-E in your editor  Esc leave           ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "
  `)
})

test('in a repository without a worktree the name of a new one is asked for, with a suggestion', () => {
  const state = open({ worktrees: [], selected: null })
  expect(state.focus).toBe('new_worktree')
  expect(drawn(state)).toMatchInlineSnapshot(`
    "
      ┏ New agent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ New name    work-1                                                       ┃
      ┃ Agent name  optional                                                     ┃
      ┃ Runner      ● claude 2.1.330   ○ shell                                   ┃
      ┃             not ready: codex                                             ┃
      ┃ Mode        ● headed   ○ headless                                        ┃
      ┃ Model       the runner's own; or opus, sonnet, haiku                     ┃
      ┃ May         ● as you configured   ○ edit files   ○ edit and commit       ┃
      ┣ Prompt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ what it is to do; empty starts it without a word                         ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┣━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ ⏎ start  Tab next field  Ctrl-E in your editor  Esc leave                ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "
  `)
  expect(order(press(state, key('enter')))).toMatchObject({
    new_worktree: 'work-1',
    request: { worktree: 'work-1', runner: 'claude', mode: 'headed', prompt: null, prompt_source: 'none' },
  })
})

test('the name of a worktree is checked as it is typed', () => {
  const state = open({ worktrees: ['taken'], selected: null })
  const naming = typed(state, 'shift+tab', 'shift+tab', 'shift+tab', 'shift+tab', 'shift+tab', 'shift+tab')
  expect(naming.focus).toBe('worktree')
  const fresh = typed(naming, 'left', 'tab', 'ctrl+u')
  expect(fresh.focus).toBe('new_worktree')
  expect(drawn(fresh)).not.toContain('characters')
  expect(drawn(press(fresh, ...typing('My')).state)).toContain(
    'only lowercase letters a-z, digits and hyphens are allowed',
  )
  expect(drawn(press(fresh, ...typing('taken')).state)).toContain('a worktree of that name exists')
  const refused = press(fresh, key('enter'))
  expect(refused.outcome.kind).toBe('open')
  expect(drawn(refused.state)).toContain('it needs a name')
})

test('Tab and the arrows go through the fields, and round', () => {
  const fields = ['worktree', 'name', 'runner', 'mode', 'model', 'permission', 'prompt']
  let state = open()
  for (const field of fields) {
    state = typed(state, 'tab')
    expect(state.focus).toBe(field)
  }
  expect(typed(state, 'up', 'up').focus).toBe('model')
  expect(typed(state, 'shift+tab', 'down').focus).toBe('prompt')
})

test('choices turn with the arrows and space, and each runner has its own fields', () => {
  const state = typed(open(), 'tab', 'tab', 'tab', 'right')
  expect(state.runner).toBe('shell')
  expect(drawn(state)).toMatchInlineSnapshot(`
    "
      ┏ New agent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ Worktree    ● my-feature   ○ bugfix-auth   ○ new…                        ┃
      ┃ Agent name  optional                                                     ┃
      ┃ Runner      ○ claude 2.1.330   ● shell                                   ┃
      ┃             Codex is not installed: there is no 'codex' on PATH          ┃
      ┃               npm install -g @openai/codex                               ┃
      ┃ Mode        ● headed   ○ headless                                        ┃
      ┣ Prompt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ what it is to do; empty starts it without a word                         ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┣━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ ⏎ start  ←→ choose  Tab next field  Ctrl-E in your editor  Esc leave     ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "
  `)
  expect(typed(state, 'space').runner).toBe('claude')
})

test('a runner that is not installed cannot be chosen, and says what to type', () => {
  const state = open({ runners: [NO_CODEX], memory: { ...NO_MEMORY, runner: 'codex' } })
  const step = press(state, key('ctrl+s'))
  expect(step.outcome.kind).toBe('open')
  expect(step.state.focus).toBe('runner')
  expect(drawn(step.state)).toContain('npm install -g @openai/codex')
})

test('runners come when they have been found, and the wish is kept', () => {
  const state = open({ runners: null, memory: { ...NO_MEMORY, runner: 'codex' } })
  expect(drawn(state)).toContain('looking which are installed…')
  expect(press(state, key('ctrl+s')).outcome.kind).toBe('open')
  expect(receiveRunners(state, { runners: [CLAUDE, CODEX, SHELL], environments: [] }).runner).toBe('codex')
  expect(receiveRunners(state, { runners: [CLAUDE, NO_CODEX, SHELL], environments: [] }).runner).toBe(
    'claude',
  )
  expect(receiveRunners(state, { runners: [NO_CODEX, SHELL], environments: [] }).runner).toBe('shell')
})

test('a headless agent needs a prompt, and the form says so', () => {
  const state = open({ memory: { ...NO_MEMORY, mode: 'headless' } })
  const step = press(state, key('ctrl+s'))
  expect(step.outcome.kind).toBe('open')
  expect(step.state.focus).toBe('prompt')
  expect(drawn(step.state)).toContain('a headless agent needs a prompt')
  expect(drawn(step.state)).toContain('it may write nothing')
})

test('everything that was filled in is asked for', () => {
  const state = typed(open({ selected: 'bugfix-auth' }), 'tab', 'tab')
  const named = press(
    state,
    ...typing('reviewer'),
    ...keys('tab', 'tab', 'right', 'tab'),
    ...typing('so'),
    ...keys('right', 'tab', 'right', 'right', 'tab'),
    ...typing('Fix it\n[[now]]'),
  )
  expect(order(press(named.state, key('ctrl+s')))).toEqual({
    new_worktree: null,
    request: {
      worktree: 'bugfix-auth',
      runner: 'claude',
      mode: 'headless',
      prompt: 'Fix it\n[[now]]',
      prompt_source: 'text',
      name: 'reviewer',
      model: 'sonnet',
      extra_args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git:*)'],
    },
  })
})

test('Enter breaks the line in the prompt, and starts from any other field', () => {
  expect(press(open(), key('enter')).outcome.kind).toBe('open')
  for (const chord of ['ctrl+s', 'alt+enter', 'ctrl+enter'])
    expect(press(open(), key(chord)).outcome.kind).toBe('submitted')
  expect(press(open(), ...keys('tab', 'enter')).outcome.kind).toBe('submitted')
})

test('Ctrl-E asks for the editor with the text, and what comes back replaces it', () => {
  const step = press(open(), ...typing('Fix'), key('ctrl+e'))
  expect(step.outcome).toEqual({ kind: 'wants_editor', text: 'Fix' })
  const back = receiveEdited(step.state, 'Fix the test\nin src\n')
  expect(order(press(back, key('ctrl+s'))).request).toMatchObject({
    prompt: 'Fix the test\nin src',
    prompt_source: 'editor',
  })
  expect(typed(back, 'alt+z').prompt.lines).toEqual(['Fix'])
})

test('a start that goes on shows its progress, and takes no keys but Esc', () => {
  const starting = showProgress(press(open(), key('ctrl+s')).state, 'making the sandbox')
  expect(drawn(starting)).toContain('making the sandbox…')
  expect(viewNewAgent(starting, SIZE, LOOK).cursor).toBeNull()
  expect(press(starting, key('ctrl+s')).outcome.kind).toBe('open')
  expect(press(starting, ...typing('x')).state).toEqual(starting)
  expect(press(starting, key('escape')).outcome.kind).toBe('left_starting')
})

test('an error of the start stands in the form, and nothing that was typed is lost', () => {
  const state = press(open(), ...typing('Fix it'), key('ctrl+s')).state
  const failed = showFailure(state, { message: 'the disk is full', hint: 'free some space, then try again' })
  expect(drawn(failed)).toMatchInlineSnapshot(`
    "
      ┏ New agent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ Worktree    ● my-feature   ○ bugfix-auth   ○ new…                        ┃
      ┃ Agent name  optional                                                     ┃
      ┃ Runner      ● claude 2.1.330   ○ shell                                   ┃
      ┃             not ready: codex                                             ┃
      ┃ Mode        ● headed   ○ headless                                        ┃
      ┃ Model       the runner's own; or opus, sonnet, haiku                     ┃
      ┃ May         ● as you configured   ○ edit files   ○ edit and commit       ┃
      ┣ Prompt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ Fix it                                                                   ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┣━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
      ┃ the disk is full                                                         ┃
      ┃ free some space, then try again                                          ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
    "
  `)
  expect(order(press(failed, key('ctrl+s'))).request.prompt).toBe('Fix it')
  expect(drawn(press(failed, key('!')).state)).not.toContain('the disk is full')
})

test('choices are remembered when it has started, and the prompt when it was left', () => {
  const state = press(typed(open(), 'tab', 'right'), ...keys('shift+tab'), paste('half a thought')).state
  expect(memoryOf(state, 'left')).toEqual({ ...NO_MEMORY, draft: 'half a thought' })
  expect(memoryOf(state, 'started')).toMatchObject({ runner: 'claude', worktree: 'bugfix-auth', draft: '' })
  expect(open({ memory: memoryOf(state, 'left') }).prompt.lines).toEqual(['half a thought'])
  expect(open({ selected: null, memory: memoryOf(state, 'started') }).worktree).toBe('bugfix-auth')
})

test('a follow-up keeps the runner of the session', () => {
  const origin = {
    title: 'Follow up on b7c9',
    worktree: 'bugfix-auth',
    runner: 'claude',
    resume: '20260128120500-b7c9',
  }
  const state = open({ origin })
  expect(drawn(state)).toContain('Follow up on b7c9')
  expect(typed(state, 'tab', 'tab', 'tab', 'right').runner).toBe('claude')
  expect(order(press(state, key('ctrl+s'))).request).toMatchObject({
    worktree: 'bugfix-auth',
    resume: '20260128120500-b7c9',
  })
})

test('a fork may be given to another runner', () => {
  const from = { invocation: '20260128120500-b7c9', checkpoint: 3 }
  const state = open({
    origin: { title: 'Fork of b7c9 at checkpoint 3', worktree: 'my-feature', runner: 'claude', from },
  })
  expect(order(press(typed(state, 'tab', 'tab', 'tab', 'right'), key('ctrl+s'))).request).toMatchObject({
    runner: 'shell',
    from,
  })
})

test('clicks choose and set the cursor, the wheel scrolls the prompt', () => {
  const rows = drawBoxes(viewNewAgent(open(), SIZE, LOOK).boxes, SIZE)
  const at = (text: string) => {
    const y = rows.findIndex((row) => row.includes(text))
    return click(rows[y]?.indexOf(text) ?? 0, y)
  }
  expect(press(open(), at('shell')).state).toMatchObject({ runner: 'shell', focus: 'runner' })
  expect(press(open(), at('optional')).state.focus).toBe('name')
  const long = press(open(), paste('line\n'.repeat(50))).state
  expect(press(long, wheel('up'), wheel('up')).state.prompt.cursor.line).toBe(48)
})

test('a small screen shows the focused field, and the prompt keeps three rows', () => {
  expect(drawn(typed(open(), 'tab'), { columns: 60, rows: 15 })).toMatchInlineSnapshot(`
    "┏ New agent ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃ Worktree    ● my-feature   ○ bugfix-auth   ○ new…        ┃
    ┃ Agent name  optional                                     ┃
    ┃ Runner      ● claude 2.1.330   ○ shell                   ┃
    ┃             not ready: codex                             ┃
    ┃ Mode        ● headed   ○ headless                        ┃
    ┃ Model       the runner's own; or opus, sonnet, haiku     ┃
    ┃ May         ‹ as you configured ›  1/3                   ┃
    ┣ Prompt ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
    ┃ what it is to do; empty starts it without a word         ┃
    ┃                                                          ┃
    ┃                                                          ┃
    ┣━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┫
    ┃ ⏎ start  ←→ choose  Tab next field                       ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
})

test.each([
  [20, 5],
  [60, 15],
  [80, 24],
  [200, 60],
])('stays inside a screen of %ix%i', (columns, rows) => {
  for (const state of [
    open(),
    typed(open(), 'tab'),
    showFailure(open(), { message: 'x '.repeat(400), hint: 'y' }),
  ]) {
    const { boxes, cursor } = viewNewAgent(state, { columns, rows }, LOOK)
    for (const { rect } of boxes) {
      expect(rect.x + rect.width).toBeLessThanOrEqual(columns)
      expect(rect.y + rect.height).toBeLessThanOrEqual(rows)
    }
    expect(cursor?.x ?? 0).toBeLessThan(columns)
    expect(cursor?.y ?? 0).toBeLessThan(rows)
  }
})
