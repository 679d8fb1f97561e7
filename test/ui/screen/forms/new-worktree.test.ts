import { expect, test } from 'vitest'
import {
  type NewWorktree,
  type NewWorktreeFacts,
  openNewWorktree,
  receiveBranches,
} from '../../../../src/ui/screen/forms/new-worktree.ts'
import { type NewWorktreeStep, typeInNewWorktree } from '../../../../src/ui/screen/forms/type-new-worktree.ts'
import { viewNewWorktree } from '../../../../src/ui/screen/forms/view-new-worktree.ts'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { picture } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { click, key, keys, typing } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 80, rows: 16 }

const open = (facts: Partial<NewWorktreeFacts> = {}): NewWorktree =>
  openNewWorktree({
    taken: ['my-feature'],
    branches: ['develop', 'main', 'maintenance'],
    branch: 'main',
    ...facts,
  })

function press(state: NewWorktree, ...events: readonly InputEvent[]): NewWorktreeStep {
  let step: NewWorktreeStep = { state, outcome: { kind: 'open' } }
  for (const event of events) step = typeInNewWorktree(step.state, event, SIZE)
  return step
}

const drawn = (state: NewWorktree, size: Size = SIZE): string =>
  picture(viewNewWorktree(state, size, LOOK).boxes, size)

test('a suggested name and the current branch: Enter makes it', () => {
  expect(drawn(open())).toMatchInlineSnapshot(`
    "


        ┏ New worktree ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ Name        work-1                                                   ┃
        ┃ Starts from main                                                     ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃ ⏎ make it  Tab next field  Esc leave                                 ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛



    "
  `)
  expect(press(open(), key('enter')).outcome).toEqual({
    kind: 'submitted',
    value: { name: 'work-1', parent: 'main' },
  })
})

test('a name that cannot be is said as it is typed', () => {
  const state = press(open(), key('ctrl+u'), ...typing('my-feature')).state
  expect(drawn(state)).toMatchInlineSnapshot(`
    "


        ┏ New worktree ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ Name        my-feature                                               ┃
        ┃             a worktree of that name exists                           ┃
        ┃ Starts from main                                                     ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃ ⏎ make it  Tab next field  Esc leave                                 ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛



    "
  `)
  expect(press(state, key('enter')).outcome.kind).toBe('open')
})

test('the parent is completed from the branches', () => {
  const typed = press(open(), ...keys('tab', 'ctrl+u'), ...typing('mai')).state
  expect(drawn(typed)).toMatchInlineSnapshot(`
    "


        ┏ New worktree ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ Name        work-1                                                   ┃
        ┃ Starts from main                                                     ┃
        ┃             main  maintenance                                        ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃                                                                      ┃
        ┃ ⏎ make it  Tab next field  → complete  Esc leave                     ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛



    "
  `)
  expect(press(typed, key('right'), ...typing('t'), key('right')).state.parent.text).toBe('maintenance')
})

test('a branch that does not exist is said, once the branches are known', () => {
  const state = press(open({ branches: null }), ...keys('tab', 'ctrl+u'), ...typing('nope')).state
  expect(press(state, key('enter')).outcome.kind).toBe('submitted')
  const known = receiveBranches(state, ['main'])
  expect(press(known, key('enter')).outcome.kind).toBe('open')
  expect(drawn(known)).toContain('there is no local branch of that name')
})

test('with a detached HEAD the parent has to be named', () => {
  const step = press(open({ branch: null }), key('enter'))
  expect(step.state.focus).toBe('parent')
  expect(drawn(step.state)).toContain('it needs a branch to start from')
})

test('an error stands in the form until something is typed', () => {
  const failed = {
    ...open(),
    phase: { kind: 'failed', message: 'a lock is held', hint: 'agency doctor' },
  } as const
  expect(drawn(failed)).toContain('a lock is held')
  expect(drawn(press(failed, key('x')).state)).not.toContain('a lock is held')
})

test('a click sets the cursor; while it is being made only Esc is heard', () => {
  const { boxes } = viewNewWorktree(open(), SIZE, LOOK)
  const y = boxes[0]?.rect.y ?? 0
  expect(press(open(), click(20, y + 2)).state).toMatchObject({ focus: 'parent', parent: { cursor: 2 } })
  const starting = press(open(), key('enter')).state
  expect(drawn(starting)).toContain('making the worktree…')
  expect(press(starting, key('enter')).outcome.kind).toBe('open')
  expect(press(starting, key('escape')).outcome.kind).toBe('left_starting')
})

test.each([
  [20, 5],
  [60, 15],
  [200, 60],
])('stays inside a screen of %ix%i', (columns, rows) => {
  const { boxes, cursor } = viewNewWorktree(open(), { columns, rows }, LOOK)
  for (const { rect } of boxes) {
    expect(rect.x + rect.width).toBeLessThanOrEqual(columns)
    expect(rect.y + rect.height).toBeLessThanOrEqual(rows)
  }
  expect(cursor?.x).toBeLessThan(columns)
})
