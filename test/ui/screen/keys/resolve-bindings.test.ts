import { expect, test } from 'vitest'
import type { Config } from '../../../../src/core/model/config.ts'
import { type Action, BINDINGS } from '../../../../src/ui/screen/keys/bindings.ts'
import { resolveBindings } from '../../../../src/ui/screen/keys/resolve-bindings.ts'
import { refusal } from '../../../support/scene/refusal.ts'

const chordsOf = (action: Action, keys: Config['keys']): readonly string[] | undefined =>
  resolveBindings(BINDINGS, keys).find((binding) => binding.action === action)?.chords

const refused = async (keys: Config['keys']): Promise<string> => {
  const error = await refusal(Promise.resolve().then(() => resolveBindings(BINDINGS, keys)))
  expect(error.code).toBe('E_CONFIG_INVALID')
  return `${error.message} | ${error.hint}`
}

test('the table stands as it is where nothing is configured', () => {
  expect(resolveBindings(BINDINGS)).toEqual(BINDINGS)
})

test('one key, several, or none', () => {
  expect(chordsOf('invocation.land', { 'invocation.land': 'Alt-l' })).toEqual(['alt+l'])
  expect(chordsOf('move.down', { 'move.down': ['down', 'j', 'j'] })).toEqual(['down', 'j'])
  expect(chordsOf('anywhere.quit', { 'anywhere.quit': false })).toEqual([])
})

test('names may be written with a table for each group', () => {
  expect(chordsOf('invocation.land', { invocation: { land: 'f5' } })).toEqual(['f5'])
})

test('two actions of one group cannot share a key', async () => {
  expect(await refused({ 'invocation.land': 'd' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.diff" = "d" and "invocation.land" = "d" clash on an agent in the tree: one key cannot mean both 'diff' and 'land' | give "invocation.diff" or "invocation.land" another key, or set one of them to false"`,
  )
})

test('a key that another action gave up is free', () => {
  expect(
    chordsOf('invocation.land', {
      'invocation.land': 'd',
      'invocation.diff': 'D',
      'invocation.discard': false,
    }),
  ).toEqual(['d'])
})

test('actions of groups that listen at the same time cannot share a key either', async () => {
  expect(await refused({ 'invocation.land': 'u' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.land" = "u" and "anywhere.undo" = "u" clash on an agent in the tree: one key cannot mean both 'land' and 'undo' | give "invocation.land" or "anywhere.undo" another key, or set one of them to false"`,
  )
  expect(await refused({ 'anywhere.quit': 'd' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.diff" = "d" and "anywhere.quit" = "d" clash on an agent in the tree: one key cannot mean both 'diff' and 'quit' | give "invocation.diff" or "anywhere.quit" another key, or set one of them to false"`,
  )
  expect(chordsOf('invocation.land', { 'invocation.land': 'u', 'anywhere.undo': 'ctrl+u' })).toEqual(['u'])
  expect(await refused({ 'move.up': ['up', 'k'] })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.kill" = "k" and "move.up" = "k" clash on an agent in the tree: one key cannot mean both 'kill' and 'up' | give "invocation.kill" or "move.up" another key, or set one of them to false"`,
  )
  expect(chordsOf('log.raw', { 'log.raw': 'x' })).toEqual(['x'])
})

test('what the table hides on purpose may be moved', () => {
  expect(chordsOf('log.search', { 'log.search': 'ctrl+s', 'anywhere.filter': 'ctrl+s' })).toEqual(['ctrl+s'])
})

test('there is always a way out of a terminal, and it takes no key from the agent', async () => {
  expect(await refused({ 'pane.leave': false })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "pane.leave" needs a key: without it there is no way out of a focused terminal | change that line"`,
  )
  expect(await refused({ 'pane.leave': 'esc' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "pane.leave" = "escape": in a focused terminal that key belongs to the agent; take one with Ctrl, Alt or Shift, or a function key | change that line"`,
  )
  expect(chordsOf('pane.leave', { 'pane.leave': 'f10' })).toEqual(['f10'])
})

test('an unknown action or key is named, with the one that was meant', async () => {
  expect(await refused({ 'invocation.lnd': 'x' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.lnd": there is no such action; is it "invocation.land"? | the README lists the names of all actions"`,
  )
  expect(await refused({ 'invocation.land': 'ctrl+pgupp' })).toMatchInlineSnapshot(
    `"[keys] in config.toml: "invocation.land" = "ctrl+pgupp": there is no such key; is it page_up? | change that line"`,
  )
})

test('a key of terminals clashes with those that apply once its agent has ended', async () => {
  expect(await refused({ 'pane.leave': 'ctrl+l' })).toContain('clash in a terminal whose agent has ended')
})
