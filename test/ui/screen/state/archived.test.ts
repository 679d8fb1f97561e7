import { expect, test } from 'vitest'
import { NOW, openScreen } from '../../../support/dashboard.ts'
import { worktreeView } from '../../../support/records.ts'

test('all that was landed or discarded says that it is still being read', () => {
  const screen = openScreen({ worktrees: [worktreeView()] })
  const read = { taken_at: NOW, archived_shown: true }
  screen.press('a')
  expect(screen.draw()[0]).toContain(' reading… all ┓')
  screen.observe({ ...read, archived_loading: true })
  expect(screen.draw()[0]).toContain(' reading… all ┓')
  screen.observe({ ...read, archived_loading: false })
  expect(screen.draw()[0]).toContain('━━ all ┓')
})
