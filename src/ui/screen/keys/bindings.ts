// Every key of the dashboard, in one table. The router, the footer, the help, the palette and the README are made from
// it. If two groups have the same chord, the group that is nearer to the focus takes it.

const FOOTER = 'footer'

/**
 * GROUP: VERB: [chord as chordOf writes it, label for the footer, what it does (for help, palette and README), FOOTER
 * if shown there].
 */
const KEYS = {
  new: {
    agent: ['n', 'new agent', 'start an agent in a sandbox of its own', FOOTER],
    worktree: ['w', 'new worktree', 'make a worktree: the branch that you will merge', FOOTER],
  },
  invocation: {
    focus: ['enter', 'focus', 'give the keyboard to its terminal, or open its log', FOOTER],
    diff: ['d', 'diff', 'show everything that it changed', FOOTER],
    land: ['L', 'land', "move its work onto the worktree's branch", FOOTER],
    discard: ['D', 'discard', 'drop its work; kept for undo', FOOTER],
    log: ['l', 'log', 'show what it said and did'],
    stop: ['s', 'stop', 'interrupt it, and end it after 5 seconds'],
    kill: ['k', 'kill', 'end it and all of its processes at once; asks first'],
    checkpoint: ['c', 'checkpoint', 'keep the state of its sandbox as it is now', FOOTER],
    checkpoints: ['C', 'checkpoints', 'list the states that were kept'],
    reply: ['r', 'reply', 'answer it, or follow up on what it did'],
    open: ['o', 'open', 'open its sandbox in your editor'],
    rename: ['R', 'rename', 'give it another name'],
    pin: ['space', 'pin', 'keep it on the stage, or let it go'],
  },
  worktree: {
    open: ['o', 'open', 'open the worktree in your editor', FOOTER],
    shell: ['S', 'shell', 'a shell of yours in the worktree', FOOTER],
    archive: ['x', 'archive', 'remove the worktree; its branch stays', FOOTER],
    copy_path: ['P', 'copy path', 'its path to the clipboard'],
  },
  pane: {
    leave: ['ctrl+\\', 'give the keyboard back', 'leave the terminal; the agent goes on', FOOTER],
    page_up: [
      'shift+page_up',
      'scroll',
      'scroll back; `page_up` does too where the program has no screen of its own',
      FOOTER,
    ],
    page_down: ['shift+page_down', 'forward', 'scroll forward again'],
    search: ['alt+/', 'search', 'find a text in what it printed', FOOTER],
    older: ['alt+n', 'older match', 'go to the match before'],
    newer: ['alt+N', 'newer match', 'go to the match behind'],
  },
  log: {
    search: ['/', 'search', 'find a text in it', FOOTER],
    filter: ['f', 'filter', 'all, words, tools, or problems only', FOOTER],
    raw: ['v', 'raw', 'the lines as the runner wrote them, and back', FOOTER],
    fold: ['enter', 'fold', 'unfold a long result, or fold it', FOOTER],
    next_match: ['n', 'next match', 'go to the next match'],
    previous_match: ['N', 'previous match', 'go to the match before'],
  },
  compare: {
    against: ['enter', 'compare next', 'with the base, with now, with the one before', FOOTER],
  },
  diff: {
    next_hunk: ['n', 'next hunk', 'go to the next hunk', FOOTER],
    previous_hunk: ['p', 'previous hunk', 'go to the hunk before', FOOTER],
    fold: ['enter', 'fold', 'fold the file, or unfold it', FOOTER],
    whitespace: ['w', 'whitespace', 'hide changes of white space only, or show them', FOOTER],
    commits: ['t', 'commits', 'commit by commit, or all in one', FOOTER],
    search: ['/', 'search', 'find a text in it'],
    next_match: ['N', 'next match', 'go to the next match of the search'],
  },
  checkpoints: {
    diff: ['enter', 'compare', 'what it changed: against the one before, then the base, then now', FOOTER],
    restore: ['r', 'restore', 'set the sandbox back to it; takes a checkpoint first', FOOTER],
    fork: ['f', 'fork', 'start an agent from it, in a sandbox of its own', FOOTER],
    rename: ['n', 'name', 'give it a name: such a one is kept', FOOTER],
  },
  move: {
    leave: ['escape', 'back', 'back to the tree, or close what lies on top', FOOTER],
    up: ['up', 'up', 'one line up'],
    down: ['down', 'down', 'one line down'],
    left: ['left', 'left', 'fold, or to the list at the left'],
    right: ['right', 'right', 'unfold, or to the part at the right'],
    page_up: ['page_up', 'page up', 'one page up'],
    page_down: ['page_down', 'page down', 'one page down'],
    first: ['home', 'first', 'to the top'],
    last: ['end', 'last', 'to the end; a log follows from there'],
  },
  anywhere: {
    undo: ['u', 'undo', 'take back a landing, discard, removal, restore', FOOTER],
    redo: ['U', 'redo', 'do again what was undone'],
    filter: ['/', 'filter', 'show only what contains a text'],
    next: ['tab', 'next', 'to the next that needs you'],
    zoom: ['z', 'zoom', 'one pane over the whole stage, and back'],
    one: ['1', '1 pane', 'one pane on the stage'],
    two: ['2', '2 panes', 'two panes on the stage'],
    four: ['4', '4 panes', 'four panes on the stage'],
    archived: ['a', 'archived', 'show archived worktrees and finished work, or hide them'],
    palette: [':', 'palette', 'every action, by its name'],
    help: ['?', 'help', 'the keys that apply here', FOOTER],
    redraw: ['ctrl+l', 'redraw', 'draw the screen anew'],
    suspend: ['ctrl+z', 'suspend', 'to the shell; `fg` comes back'],
    quit: ['q', 'quit', 'leave; agents go on'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, BindingRow>>>>

type BindingRow = readonly [chord: string, label: string, says: string, place?: typeof FOOTER]
type Keys = typeof KEYS

/**
 * Where a key applies. `move` applies to whatever list, log or diff has the focus; `new` and `anywhere` always apply.
 */
export type BindingGroup = keyof Keys
/** `GROUP.VERB`, the name in the person's configuration. */
export type Action = { [G in BindingGroup]: `${G}.${BoundVerb<G>}` }[BindingGroup]
export type BoundVerb<G extends BindingGroup> = keyof Keys[G] & string

/** The moves that lists, logs and diffs share. */
export type Move = Exclude<BoundVerb<'move'>, 'leave'>

export interface Binding {
  readonly action: Action
  readonly group: BindingGroup
  /** None if the person has taken the key away. The first one is shown. */
  readonly chords: readonly string[]
  /** One or two words. */
  readonly label: string
  readonly says: string
  /** If true, it is shown in the footer while it applies, in the order of the table. */
  readonly footer: boolean
}

export const BINDINGS: readonly Binding[] = Object.entries(KEYS).flatMap(([group, verbs]) =>
  Object.entries<BindingRow>(verbs).map(([verb, [chord, label, says, place]]) => ({
    action: `${group}.${verb}` as Action,
    group: group as BindingGroup,
    chords: [chord],
    label,
    says,
    footer: place === FOOTER,
  })),
)
