import { describe, expect, it } from 'vitest'
import { openScreen } from '../../../support/dashboard/dashboard.ts'
import {
  CLAUDE,
  CODEX,
  claude,
  codex,
  DONE,
  done,
  inPane,
  LIVE,
  OTHER_TREE,
  openWithAgents,
} from '../../../support/dashboard/three-agents.ts'
import { worktreeView } from '../../../support/records/records.ts'

describe('moving in the tree', () => {
  it('goes from row to row, folds and unfolds, and jumps to the parent', () => {
    const screen = openWithAgents()
    screen.press('down', 'down', 'left')
    expect(screen.state.tree.selected).toBe(`w:${claude.record.integration_worktree_id}`)
    screen.press('left')
    expect(
      screen
        .draw()
        .map((line) => line.slice(0, 30))
        .join('\n'),
    ).not.toContain('c2d8')
    screen.press('right', 'end')
    expect(screen.state.tree.selected).toBe(`i:${DONE}`)
    screen.press('down', 'home', 'up')
    expect(screen.state.tree.selected).toBe(`w:${claude.record.integration_worktree_id}`)
  })

  it('filters as one types, keeps the filter on Enter and drops it on Esc', () => {
    const screen = openWithAgents()
    screen.press('/')
    screen.type('codex')
    expect(screen.draw().join('\n')).not.toContain('bugfix')
    screen.press('enter')
    expect(screen.state.tree.filter).toBe('codex')
    screen.press('escape')
    expect(screen.draw().join('\n')).toContain('bugfix')
  })

  it('says so where the filter leaves nothing, and not that there is nothing', () => {
    const screen = openWithAgents()
    screen.press('/')
    screen.type('zzz')
    const drawn = screen.draw().join('\n')
    expect(drawn).toContain('nothing contains it')
    expect(drawn).not.toContain('No worktrees yet')
  })

  it('selects what took the place of a row that is gone', () => {
    const screen = openWithAgents()
    screen.press('down', 'down')
    screen.observe({ invocations: [claude, done] })
    expect(screen.state.tree.selected).toBe(`w:${OTHER_TREE}`)
  })

  it('jumps to the next agent that needs a person, also into a folded worktree', () => {
    const screen = openWithAgents()
    screen.press('left', 'tab')
    expect(screen.state.tree.selected).toBe(`i:${CODEX}`)
    screen.observe({ invocations: [claude, done] })
    screen.press('tab')
    expect(screen.state.tree.selected).toBe(`i:${DONE}`)
  })
})

describe('all that was landed or discarded', () => {
  it('says that it is still being read', () => {
    const screen = openWithAgents()
    const read = { taken_at: screen.state.now, archived_shown: true }
    screen.press('a')
    expect(screen.draw()[0]).toContain(' reading… all ┓')
    screen.observe({ ...read, archived_loading: true })
    expect(screen.draw()[0]).toContain(' reading… all ┓')
    screen.observe({ ...read, archived_loading: false })
    expect(screen.draw()[0]).toContain('━━ all ┓')
  })
})

describe('keys that do not apply', () => {
  it.each([
    [[], 'd', 'select an agent first'],
    [['down'], 'L', 'b7c9 is still running: s stops it first'],
    [['end'], 's', 'd4e5 is not running'],
    [['down'], 'o', null],
    [[], 'U', 'there is nothing to redo'],
    [[], 'j', 'j does nothing here; ? shows the keys that do'],
    [[], 'ctrl+c', 'q quits, and so does Ctrl-C once more; agents go on'],
    [[], 'ctrl+y', 'Ctrl-Y does nothing here; ? shows the keys that do'],
  ])('after %j, %s says: %s', (before, chord, hint) => {
    const screen = openWithAgents()
    screen.press(...before, chord)
    expect(screen.state.hint).toBe(hint)
    if (hint !== null) expect(screen.draw().at(-1)).toContain(hint)
  })

  it('leave when Ctrl-C is pressed once more, and not if another key came between', () => {
    const screen = openWithAgents()
    screen.press('ctrl+c', 'down', 'ctrl+c')
    expect(screen.commands).not.toContainEqual(expect.objectContaining({ do: 'quit' }))
    screen.press('ctrl+c')
    expect(screen.commands).toContainEqual(expect.objectContaining({ do: 'quit' }))
  })

  it('say so until the next key', () => {
    const screen = openWithAgents()
    screen.press('j', 'down')
    expect(screen.state.hint).toBeNull()
  })
})

describe('answering', () => {
  it('an agent that works in a terminal is done there', () => {
    const screen = openWithAgents()
    screen.press('down', 'down', 'r')
    expect(screen.state.stage.active).toBe(CODEX)
  })

  it('one that has ended opens the form for an agent that goes on with its session', () => {
    const screen = openWithAgents({ columns: 100, rows: 30 })
    const talked = { ...done, record: { ...done.record, runner_session_id: 'session-1' } }
    screen.observe({ invocations: [claude, codex, talked] })
    screen.press('end', 'r')
    expect(screen.draw().join('\n')).toContain('Follow up on d4e5')
    expect(screen.state.overlay).toMatchObject({
      kind: 'new_agent',
      popup: {
        facts: { origin: { worktree: done.worktree_name, runner: done.record.runner, resume: DONE } },
      },
    })
  })

  it('one that left no session says so, and what can be done instead', () => {
    const screen = openWithAgents()
    screen.press('end', 'r')
    expect(screen.state.hint).toBe('d4e5 has left no session to go on with: n starts a new agent')
    expect(screen.state.overlay).toBe(null)
  })
})

describe('landing, discarding, killing', () => {
  it('land at once what has ended', () => {
    const screen = openWithAgents()
    screen.press('end', 'L')
    expect(screen.commands).toEqual([
      {
        do: 'verb',
        verb: { verb: 'land', id: DONE, options: { apply: 'when_alone' } },
        words: 'landing d4e5',
        about: DONE,
      },
    ])
  })

  it('ask before a running agent is ended, and leave all as it is unless it is confirmed', () => {
    const screen = openWithAgents()
    screen.press('down', 'D')
    expect(screen.draw().join('\n')).toContain('Discard b7c9?')
    screen.press('enter')
    screen.press('k', 'escape')
    screen.press('k', 'n')
    expect(screen.commands).toEqual([])
    screen.press('k', 'y')
    expect(screen.commands).toMatchObject([{ verb: { verb: 'kill', id: CLAUDE } }])
  })

  it('do nothing twice while it is being done', () => {
    const screen = openWithAgents()
    screen.press('end')
    screen.tell({ kind: 'began', task: 1, words: 'landing d4e5', about: DONE })
    screen.press('L')
    expect(screen.commands).toEqual([])
    expect(screen.state.hint).toBe('wait: landing d4e5')
    screen.tell({ kind: 'finished', task: 1, reveal: null, told: { level: 'done', lines: ['landed d4e5'] } })
    expect(screen.draw().join('\n')).toContain('landed d4e5')
  })

  it('ask before the agents of a worktree go with it', () => {
    const screen = openWithAgents()
    screen.press('x')
    expect(screen.draw().join('\n')).toContain('2 agents of it are neither landed nor discarded')
    screen.press('y')
    expect(screen.commands).toMatchObject([{ verb: { verb: 'archive', force: true } }])
  })
})

describe('the stage', () => {
  it('shows what is selected, and keeps what is pinned', () => {
    const screen = openWithAgents({ columns: 120, rows: 40 })
    screen.press('down', 'space', 'down')
    expect(screen.draw().join('\n')).toMatch(/b7c9 fixer[\s\S]*c2d8 codex/)
    screen.press('end')
    expect(screen.draw().join('\n')).toMatch(/b7c9 fixer[\s\S]*d4e5 fixer/)
    screen.press('z')
    expect(screen.draw()[0]).toContain('d4e5')
    screen.press('z', '1')
    expect(screen.draw().filter((line) => /[├┌] [0-9a-f]{4} fixer/.test(line))).toHaveLength(1)
  })

  it('gives the keyboard to a terminal, where every key but one is the agent’s', () => {
    const screen = inPane()
    screen.press('q', 'escape', 'ctrl+c', 'enter', 'L', '?')
    expect(screen.commands.map((command) => command.do)).toEqual(Array(6).fill('type'))
    screen.input({ kind: 'paste', text: 'two\nlines' })
    expect(screen.commands.at(-1)).toEqual({
      do: 'type',
      pane: CODEX,
      event: { kind: 'paste', text: 'two\nlines' },
    })
    screen.press('ctrl+\\', 'q')
    expect(screen.commands.at(-1)).toEqual({ do: 'quit' })
  })

  it('gives a terminal the keys that are pressed while it is being joined, but none once it has ended', () => {
    const screen = openWithAgents()
    screen.press('down', 'down', 'enter', 'n', 'D')
    screen.tell({ kind: 'pane', id: CODEX, facts: { ...LIVE, state: 'joining' } })
    screen.press('q')
    expect(screen.commands.filter((command) => command.do === 'type')).toHaveLength(3)
    expect(screen.state.overlay).toBeNull()
    screen.tell({ kind: 'pane', id: CODEX, facts: { ...LIVE, state: 'ended' } })
    screen.press('?')
    expect(screen.state.overlay).not.toBeNull()
  })

  it('draws no scene for a key that is the agent’s', () => {
    const screen = inPane()
    const before = screen.state
    screen.press('a', 'enter')
    expect(screen.state).toBe(before)
  })

  it('scrolls a terminal back by PgUp, unless its program has the screen to itself', () => {
    const screen = inPane()
    screen.press('page_up')
    expect(screen.commands.at(-1)).toEqual({ do: 'scroll', pane: CODEX, lines: 'page_up' })
    const full = inPane({ alternate_screen: true })
    full.press('page_up')
    expect(full.commands.at(-1)).toMatchObject({ do: 'type' })
    full.press('shift+page_up')
    expect(full.commands.at(-1)).toMatchObject({ do: 'scroll' })
  })

  it('finds a text in what a terminal printed, and forgets it when one types on', () => {
    const screen = inPane()
    screen.press('alt+/')
    screen.type('ab')
    screen.press('enter')
    expect(screen.commands.at(-1)).toEqual({ do: 'find', pane: CODEX, text: 'ab', direction: 'older' })
    screen.tell({ kind: 'found', id: CODEX, found: { text: 'ab', place: { at: 2, of: 17 } } })
    expect(screen.draw()[0]).toContain('2/17')
    screen.press('alt+n')
    expect(screen.commands.at(-1)).toMatchObject({ do: 'find', text: 'ab', direction: 'older' })
    screen.press('x')
    expect(screen.draw()[0]).not.toContain('2/17')
  })

  it('takes the keys back when the agent has ended', () => {
    const screen = inPane()
    screen.tell({ kind: 'pane', id: CODEX, facts: { ...LIVE, state: 'ended' } })
    screen.press('q')
    expect(screen.commands.at(-1)).toEqual({ do: 'quit' })
  })

  it('goes to an agent that was started here as soon as it is seen', () => {
    const screen = openScreen({ worktrees: [worktreeView()] })
    screen.press('n')
    screen.tell({ kind: 'started', id: CODEX })
    expect(screen.state.stage.active).toBeNull()
    screen.observe({ invocations: [codex] })
    expect(screen.state.stage.active).toBe(CODEX)
    expect(screen.state.tree.selected).toBe(`i:${CODEX}`)
  })
})
