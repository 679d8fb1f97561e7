// agency __complete: what could stand at the cursor, one `word<TAB>description` per line. It runs at every press of
// Tab, so it loads little, opens a repository only for names in it, and is silent whatever goes wrong.

import { resolve } from 'node:path'
import type { Agency } from '../../core/facade/agency.ts'
import { type CommandConsole, writeOut } from '../person/console.ts'
import { reasonOf } from '../text/checkpoint-words.ts'
import { makeVisible } from '../text/visible.ts'
import type { CommandRow, Completes, OptionRow } from './commands/command.ts'
import { GLOBAL_OPTIONS, longName, takesValue } from './commands/global-options.ts'

export interface CompletionWord {
  readonly word: string
  readonly says: string
}

/** Tells the shell to offer paths. */
const PATHS = { file: ':files', directory: ':directories' } as const

/** `words` are those after `agency`. The last one is being typed and may be empty. */
export async function complete(
  words: readonly string[],
  rows: readonly CommandRow[],
  console: CommandConsole,
): Promise<void> {
  const candidates = await findCandidates(words, rows, console).catch((): CompletionWord[] => [])
  const typed = words.at(-1) ?? ''
  const lines = candidates
    .filter(({ word }) => word.startsWith(':') || word.startsWith(typed))
    .map(({ word, says }) => `${makeVisible(word)}\t${makeVisible(says)}\n`)
  await writeOut(console.stdout, lines.join(''))
}

async function findCandidates(
  words: readonly string[],
  rows: readonly CommandRow[],
  console: CommandConsole,
): Promise<CompletionWord[]> {
  const place = readPlace(words, rows)
  switch (place.kind) {
    case 'command':
      return commandsBelow(place.path, rows)
    case 'option':
      return listOptions(place.options)
    case 'value':
      return valuesOf({ ...place, typed: words.at(-1) ?? '' }, () =>
        console.openAgency(resolve(console.cwd, ...place.directories), console.env),
      )
  }
}

type CursorPlace =
  | { readonly kind: 'command'; readonly path: readonly string[] }
  | { readonly kind: 'option'; readonly options: readonly OptionRow[] }
  | ValuePlace

interface ValuePlace {
  readonly kind: 'value'
  readonly completes: Completes
  readonly directories: readonly string[]
  /** The invocation that was typed before it; null for none. */
  readonly of: string | null
}

/** Finds out what the word at the cursor is, from the words before it. */
export function readPlace(words: readonly string[], rows: readonly CommandRow[]): CursorPlace {
  const before = words.slice(0, -1)
  const typed = words.at(-1) ?? ''
  const { path, row, operands, pending, directories, behindDashes, of } = readBefore(before, rows)
  const value = (completes: Completes): CursorPlace => ({ kind: 'value', completes, directories, of })
  if (behindDashes) return value('nothing')
  if (pending !== undefined) return value(pending.completes ?? 'nothing')
  if (typed.startsWith('-')) return { kind: 'option', options: [...(row?.options ?? []), ...GLOBAL_OPTIONS] }
  if (row === undefined) return { kind: 'command', path }
  const args = row.args ?? []
  const last = args.at(-1)
  return value((args[operands] ?? (last?.repeats ? last : undefined))?.completes ?? 'nothing')
}

interface WordsBefore {
  path: readonly string[]
  row: CommandRow | undefined
  operands: number
  /** The option whose value comes next. */
  pending: OptionRow | undefined
  directories: readonly string[]
  behindDashes: boolean
  of: string | null
}

function readBefore(words: readonly string[], rows: readonly CommandRow[]): WordsBefore {
  const state: WordsBefore = {
    path: [],
    row: undefined,
    operands: 0,
    pending: undefined,
    directories: [],
    behindDashes: false,
    of: null,
  }
  for (const word of words) readWord(state, word, rows)
  return state
}

function readWord(state: WordsBefore, word: string, rows: readonly CommandRow[]): void {
  if (state.pending !== undefined) {
    if (longName(state.pending) === 'directory') state.directories = [...state.directories, word]
    // It was given by the option, so it is not among the operands.
    if (longName(state.pending) === 'invocation') noteInvocation(state, word)
    state.pending = undefined
  } else if (word === '--') state.behindDashes = true
  else if (word.startsWith('-')) state.pending = optionAwaiting(state.row, word)
  else if (state.row !== undefined) readOperand(state, word)
  else {
    state.path = [...state.path, word]
    state.row = rows.find(({ path }) => path.join(' ') === state.path.join(' '))
  }
}

function readOperand(state: WordsBefore, word: string): void {
  if (state.row?.args?.[state.operands]?.completes === 'invocation') noteInvocation(state, word)
  else state.operands += 1
}

function noteInvocation(state: WordsBefore, word: string): void {
  state.of = word
  const repeats = state.row?.args?.at(state.operands)?.repeats === true
  if (!repeats) state.operands += 1
}

function optionAwaiting(row: CommandRow | undefined, word: string): OptionRow | undefined {
  const options = [...(row?.options ?? []), ...GLOBAL_OPTIONS]
  return options.find((option) => takesValue(option) && option.flags.split(/[ ,]+/).includes(word))
}

function commandsBelow(path: readonly string[], rows: readonly CommandRow[]): CompletionWord[] {
  const found = new Map<string, string>()
  for (const row of rows.filter((each) => path.every((word, at) => each.path[at] === word))) {
    const word = row.path[path.length]
    if (word === undefined || found.has(word)) continue
    found.set(word, row.path.length === path.length + 1 ? row.summary : '')
  }
  return [...found].map(([word, says]) => ({ word, says }))
}

const listOptions = (options: readonly OptionRow[]): CompletionWord[] =>
  options.map((option) => ({ word: `--${longName(option)}`, says: option.summary }))

async function valuesOf(
  { completes, of, typed }: ValuePlace & { readonly typed: string },
  open: () => Promise<Agency>,
): Promise<CompletionWord[]> {
  switch (completes) {
    case 'nothing':
      return []
    case 'file':
    case 'directory':
      return [{ word: PATHS[completes], says: '' }]
    case 'worktree':
      return (await (await open()).listWorktrees()).map(({ record }) => ({
        word: record.name,
        says: record.branch,
      }))
    case 'invocation':
      return typed.includes('@')
        ? listCheckpointWords(await open(), typed.slice(0, typed.lastIndexOf('@')), '@')
        : listInvocationWords(await open())
    case 'checkpoint':
      return of === null ? [] : listCheckpointWords(await open(), of)
    case 'runner':
      return (await (await open()).runners()).map(({ name, title }) => ({ word: name, says: title }))
    default:
      return completes.map((word) => ({ word, says: '' }))
  }
}

async function listInvocationWords(agency: Agency): Promise<CompletionWord[]> {
  const { invocations } = await agency.listInvocations()
  return invocations.map(({ record, display, worktree_name }) => ({
    word: record.invocation_id,
    says: `${record.runner}, ${display}, ${worktree_name}: ${record.prompt ?? record.invocation_name}`.slice(
      0,
      80,
    ),
  }))
}

/** Newest first. With `joint` the words are of the form `ID@N`. */
async function listCheckpointWords(agency: Agency, of: string, joint?: string): Promise<CompletionWord[]> {
  const { checkpoints } = await agency.listCheckpoints(of)
  return checkpoints.toReversed().map((checkpoint) => ({
    word: joint === undefined ? `${checkpoint.id}` : `${of}${joint}${checkpoint.id}`,
    says: [checkpoint.name ?? reasonOf(checkpoint), checkpoint.diffstat].join(', '),
  }))
}
