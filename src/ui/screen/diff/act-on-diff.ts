// What the keys of the diff view do. Nothing is read here: `wants` tells the app what has to be read.

import type { Action } from '../keys/bindings.ts'
import { innerRect, type Size } from '../scene.ts'
import { type FlowStop, fileAt, isFolded, nextStop } from './diff-flow.ts'
import { layOutDiff } from './diff-layout.ts'
import {
  currentFile,
  currentPart,
  type DiffFocus,
  type DiffState,
  type DiffWant,
  partsOf,
  refold,
  shownContent,
} from './diff-state.ts'
import { nextMatch } from './search-diff.ts'
import { listed, visibleTop } from './visible-top.ts'

export interface DiffReply {
  readonly state: DiffState
  /** What to ask of the facade now; null for nothing. */
  readonly wants: DiffWant | null
}

export type DiffKey = Extract<Action, `diff.${string}` | `move.${string}`>

/** `size` is that of the whole view, with its borders. */
export function actOnDiff(state: DiffState, action: DiffKey, size: Size): DiffReply {
  const { hunks } = layOutDiff(state, { x: 0, y: 0, width: size.columns, height: size.rows })
  return settleDiff(KEYS[action](state, hunks === null ? 1 : innerRect(hunks).height), size)
}

/** `height` is how many rows of hunks fit. */
type Deed = (state: DiffState, height: number) => DiffState | DiffReply

const KEYS: Readonly<Record<DiffKey, Deed>> = {
  'diff.next_hunk': (state, height) => goToHunk(state, 1, height),
  'diff.previous_hunk': (state, height) => goToHunk(state, -1, height),
  'diff.fold': (state) => (state.focus === 'commits' ? focusOn(state, 'hunks') : toggleFold(state)),
  'diff.whitespace': (state) =>
    want(state, { ...state.want, ignore_whitespace: !state.want.ignore_whitespace }),
  'diff.commits': toggleCommits,
  // The app asks for the text.
  'diff.search': (state) => state,
  'diff.next_match': nextMatch,
  'move.leave': (state) => state,
  'move.up': (state) => moveInDiff(state, -1),
  'move.down': (state) => moveInDiff(state, 1),
  'move.left': moveLeft,
  'move.right': moveRight,
  'move.page_up': (state, height) => movePage(state, -Math.max(1, height - 1)),
  'move.page_down': (state, height) => movePage(state, Math.max(1, height - 1)),
  'move.first': (state) => moveInDiff(state, Number.NEGATIVE_INFINITY),
  'move.last': (state) => moveInDiff(state, Number.POSITIVE_INFINITY),
}

function want(state: DiffState, wanted: DiffWant): DiffReply {
  return { state: { ...state, want: wanted, failure: null, loading: null }, wants: wanted }
}

export function moveInDiff(state: DiffState, by: number): DiffState | DiffReply {
  if (state.focus === 'commits') return moveCommit(state, by)
  if (shownContent(state) === null) return state
  if (state.focus === 'files') return moveFile(state, by)
  return { ...state, cursor: clampToLength(state.cursor + by, state.flow.length) }
}

function moveCommit(state: DiffState, by: number): DiffState | DiffReply {
  return chooseCommit(state, clampToLength(currentPart(state) + by, partsOf(state).length))
}

export function chooseCommit(state: DiffState, at: number): DiffState | DiffReply {
  const part = partsOf(state)[at]
  if (part === undefined || part === state.want.part) return state
  return want(state, { ...state.want, part })
}

const moveFile = (state: DiffState, by: number): DiffState =>
  chooseFile(state, clampToLength((currentFile(state) ?? 0) + by, state.flow.heads.length))

/** Its heading moves to the top. */
export function chooseFile(state: DiffState, file: number): DiffState {
  const head = state.flow.heads[file]
  return head === undefined ? state : { ...withTop(state, head), cursor: head, shift: 0 }
}

/** Moves the rows; the cursor stays at its place on the screen. */
function movePage(state: DiffState, by: number): DiffState | DiffReply {
  if (state.focus !== 'hunks' || shownContent(state) === null) return moveInDiff(state, by)
  return {
    ...withTop(state, state.tops.hunks + by),
    cursor: clampToLength(state.cursor + by, state.flow.length),
  }
}

const SIDEWAYS = 8

function moveLeft(state: DiffState): DiffState {
  if (state.focus === 'hunks' && state.shift > 0) return { ...state, shift: state.shift - SIDEWAYS }
  if (state.focus === 'hunks') return focusOn(state, 'files')
  return state.want.part === undefined ? state : focusOn(state, 'commits')
}

/** If the focus cannot go further to the right, the code is moved. */
function moveRight(state: DiffState): DiffState {
  if (state.focus !== 'hunks') return focusOn(state, state.focus === 'commits' ? 'files' : 'hunks')
  return { ...state, shift: Math.min(state.shift + SIDEWAYS, 1000) }
}

const focusOn = (state: DiffState, focus: DiffFocus): DiffState => ({ ...state, focus })

function goToHunk(state: DiffState, direction: 1 | -1, height: number): DiffState {
  const stop = shownContent(state) === null ? null : nextStop(state.flow, state.cursor, direction)
  if (stop === null) return state
  return { ...withTop(state, topFor(state, stop, height)), cursor: stop.start }
}

/** If the hunk is not fully visible, it moves to the top, but below its file's heading if that is right above it. */
function topFor({ flow, tops }: DiffState, { start, end }: FlowStop, height: number): number {
  const head = flow.heads[fileAt(flow, start) ?? -1] ?? start
  const first = start - head <= 2 ? head : start
  return first >= tops.hunks && end <= tops.hunks + height ? tops.hunks : first
}

export function toggleFold(state: DiffState): DiffState {
  const index = currentFile(state)
  const file = index === null ? undefined : shownContent(state)?.files[index]
  if (index === null || file === undefined) return state
  const folded = refold(state, new Map(state.folds).set(file.change.path, !isFolded(file, state.folds)))
  return { ...folded, cursor: folded.flow.heads[index] ?? 0 }
}

function toggleCommits(state: DiffState): DiffState | DiffReply {
  const { part, ...all } = state.want
  if (part !== undefined) return want({ ...state, focus: 'files' }, all)
  const [first] = partsOf(state)
  return first === undefined ? state : want({ ...state, focus: 'commits' }, { ...all, part: first })
}

/** Makes sure that in each box the focused row is visible. */
export function settleDiff(done: DiffState | DiffReply, size: Size): DiffReply {
  const { state, wants } = 'wants' in done ? done : { state: done, wants: null }
  const layout = layOutDiff(state, { x: 0, y: 0, width: size.columns, height: size.rows })
  const cursor = clampToLength(state.cursor, state.flow.length)
  const settled = { ...state, cursor }
  const top = (box: DiffFocus): number => {
    const rect = layout[box]
    const { height } = innerRect(rect ?? NOWHERE)
    return rect === null ? state.tops[box] : visibleTop(state.tops[box], { ...listed(settled, box), height })
  }
  const tops = { commits: top('commits'), files: top('files'), hunks: top('hunks') }
  return { state: { ...settled, tops }, wants }
}

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 }

const withTop = (state: DiffState, hunks: number): DiffState => ({ ...state, tops: { ...state.tops, hunks } })

const clampToLength = (at: number, length: number): number => Math.max(0, Math.min(at, length - 1))
