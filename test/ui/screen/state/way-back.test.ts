import { expect, test } from 'vitest'
import { openScreen } from '../../../support/dashboard/dashboard.ts'

test('what a toast offers applies at once, although the operation has not been observed', () => {
  const screen = openScreen()
  screen.press('u')
  expect(screen.state.hint).toBe('there is nothing to undo')
  screen.tell({ kind: 'told', told: { level: 'done', lines: ['landed b7c9'], offers: 'undo' } })
  expect(screen.draw().join('\n')).toContain('u undo')
  screen.press('u')
  expect(screen.commands).toMatchObject([{ do: 'verb', verb: { verb: 'undo' } }])
  screen.press('U')
  expect(screen.state.hint).toBe('there is nothing to redo')
})

test('of several toasts the latest alone shows its way back, which is what the key does', () => {
  const screen = openScreen()
  screen.tell({ kind: 'told', told: { level: 'done', lines: ['landed b7c9'], offers: 'undo' } })
  screen.tell({ kind: 'told', told: { level: 'done', lines: ['undone: landed b7c9'], offers: 'redo' } })
  screen.tell({ kind: 'told', told: { level: 'done', lines: ['nothing has changed'] } })
  const aboveFooter = screen.draw().slice(0, -1).join('\n')
  expect(aboveFooter).toContain('U redo')
  expect(aboveFooter).not.toContain('u undo')
})
