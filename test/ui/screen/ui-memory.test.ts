import { expect, test } from 'vitest'
import { NO_UI_MEMORY, noteAction, parseUiMemory } from '../../../src/ui/screen/ui-memory.ts'

test('what was kept comes back, with what a newer version added', () => {
  const kept = { ...NO_UI_MEMORY, forms: { ...NO_UI_MEMORY.forms, draft: 'Fix' }, more: 1 }
  expect(parseUiMemory(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
})

test('what cannot be read is forgotten', () => {
  for (const data of [
    undefined,
    null,
    'x',
    [],
    { schema_version: '9.0' },
    { ...NO_UI_MEMORY, forms: { draft: 3 } },
  ]) {
    expect(parseUiMemory(data)).toEqual(NO_UI_MEMORY)
  }
})

test('the action that was used last stands first, once', () => {
  const used = (['new.agent', 'anywhere.undo', 'new.agent'] as const).reduce(noteAction, NO_UI_MEMORY)
  expect(used.recent_actions).toEqual(['new.agent', 'anywhere.undo'])
})
