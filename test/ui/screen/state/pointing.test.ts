import { describe, expect, it } from 'vitest'
import { CODEX, DONE, inPane, openWithAgents } from '../../../support/dashboard/three-agents.ts'

describe('the mouse', () => {
  const press = { kind: 'mouse', button: 'left', ctrl: false, alt: false, shift: false } as const

  it('selects a row, and gives the keyboard to a pane', () => {
    const screen = openWithAgents()
    screen.input({ ...press, action: 'press', x: 5, y: 3 })
    expect(screen.state.tree.selected).toBe(`i:${CODEX}`)
    screen.input({ ...press, action: 'press', x: 50, y: 10 })
    expect(screen.state.stage.active).toBe(CODEX)
  })

  it('copies what it was dragged over, and is passed to a program that asked for it', () => {
    const screen = inPane()
    screen.input({ ...press, action: 'press', x: 40, y: 5 })
    screen.input({ ...press, action: 'drag', x: 45, y: 6 })
    screen.input({ ...press, action: 'release', x: 45, y: 6 })
    expect(screen.commands.slice(-2)).toEqual([
      { do: 'select', pane: CODEX, range: { from: { x: 9, y: 4 }, to: { x: 14, y: 5 } } },
      { do: 'copy_selection', pane: CODEX },
    ])
    const asked = inPane({ mouse: true })
    asked.input({ ...press, action: 'press', x: 40, y: 5 })
    expect(asked.commands).toMatchObject([{ do: 'type', pane: CODEX }])
  })

  it('scrolls by the wheel what it is over', () => {
    const screen = inPane()
    screen.input({ ...press, action: 'wheel_up', button: 'none', x: 50, y: 5 })
    expect(screen.commands.at(-1)).toEqual({ do: 'scroll', pane: CODEX, lines: 3 })
  })
})

describe('the palette', () => {
  it('carries an action out as its key would', () => {
    const screen = openWithAgents()
    screen.press('end', ':')
    screen.type('discard')
    screen.press('enter')
    expect(screen.commands).toMatchObject([{ verb: { verb: 'discard', id: DONE } }, { do: 'remember' }])
    expect(screen.state.memory.recent_actions).toEqual(['invocation.discard'])
  })
})
