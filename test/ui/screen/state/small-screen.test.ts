import { describe, expect, it } from 'vitest'
import { stagedPanes } from '../../../../src/ui/screen/state/stage.ts'
import { observed, openScreen, type Screen } from '../../../support/dashboard/dashboard.ts'
import { worktreeView } from '../../../support/records/records.ts'

const headed = observed({ mode: 'headed', host: { pid: 7, start_time: '7', socket_path: '/s' } })
const ID = headed.record.invocation_id

/** Opens a screen with the selected agent's terminal on its stage, and then gives it this size. */
function open(size = { columns: 59, rows: 30 }): Screen {
  const screen = openScreen({ worktrees: [worktreeView()], invocations: [headed] }, { columns: 80, rows: 24 })
  screen.press('down')
  screen.tell({ kind: 'resize', size })
  return screen
}

describe('a screen that is too small', () => {
  it('says how large it has to be, at any width', () => {
    expect(open().draw().slice(0, 2)).toEqual([
      'Agency needs 60x15 cells; this terminal has 59x30.',
      'Make it larger, or q to leave: agents go on.',
    ])
    expect(open({ columns: 24, rows: 8 }).draw().slice(0, 4)).toEqual([
      'Agency needs 60x15',
      'cells; this terminal has',
      '24x8.',
      'Make it larger, or q to',
    ])
  })

  it('takes only keys that need no sight: nothing is landed, killed or typed blindly', () => {
    const screen = open()
    screen.press('L', 'D', 'k', 'y', 'enter', ':', 'x')
    screen.input({ kind: 'paste', text: 'rm -rf x\n' })
    expect(screen.commands).toEqual([])
    screen.press('ctrl+z', 'q')
    expect(screen.commands).toEqual([{ do: 'suspend' }, { do: 'quit' }])
    screen.tell({ kind: 'resize', size: { columns: 80, rows: 24 } })
    expect(screen.state.overlay).toBeNull()
  })

  it('lets q leave although a terminal has the keyboard', () => {
    const screen = open({ columns: 80, rows: 24 })
    const facts = { title: '', scrolled: 0, mouse: false, alternate_screen: false, failure: null }
    screen.tell({ kind: 'pane', id: ID, facts: { ...facts, state: 'live' } })
    screen.press('enter')
    screen.tell({ kind: 'resize', size: { columns: 80, rows: 14 } })
    screen.press('q')
    expect(screen.commands).toEqual([{ do: 'quit' }])
  })

  it('squeezes no terminal for what nobody sees', () => {
    expect(stagedPanes(open({ columns: 7, rows: 2 }).state)).toEqual(
      stagedPanes(open({ columns: 60, rows: 15 }).state),
    )
  })
})

it('shows a worktree within its box', () => {
  const screen = openScreen({ worktrees: [worktreeView()], invocations: [headed] }, { columns: 60, rows: 20 })
  const lines = screen.draw().map((line) => line.slice(30))
  expect(lines.slice(1, -2).every((line) => line.endsWith(' │'))).toBe(true)
  expect(lines.join('\n')).toContain('copy its path')
})
