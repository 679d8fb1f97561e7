// A case that runs: where it happens, what was done in it so far, and what was found.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../account/account.ts'
import type { Fault } from '../plan/fault.ts'
import type { Plan } from '../plan/plan.ts'
import { generalize } from './finding.ts'
import type { CasePlace } from './place.ts'
import type { VerbRun } from './verb.ts'

export interface Running {
  readonly plan: Plan
  readonly place: CasePlace
  readonly account: Account
  readonly counts: { verbs: number; kills: number; faults: number }
  readonly story: string[]
  find(signature: string, detail: string): void
  verb(words: readonly string[], fault?: Fault | null): Promise<VerbRun>
  /** Ids of the witness and of its worktree, which nobody may touch. */
  readonly witnesses: Set<string>
}

/** What a verb is called in a signature: its own words, and what struck it. */
export const nameVerb = ({ words, fault, struck }: VerbRun): string =>
  `${words
    .filter((word) => /^(--)?[a-z-]+$/.test(word) && !/^(feat|other|another|witness)$/.test(word))
    .slice(0, 3)
    .join(' ')}${struck || fault === 'kill' ? ` [${fault}]` : ''}`

/** Of a verb that has to work. What is in its way stops others too, so it is not named. */
export const nameFailure = ({ code, message }: VerbRun): string =>
  `does not work: ${code ?? 'ended'} ${generalize(message)}`

/** An error of the system's is the same wherever it strikes. */
export const nameWrong = (ran: VerbRun, wrong: string): string =>
  /^E_INTERNAL: .*\bE[A-Z]+:/.test(wrong)
    ? `${generalize(wrong)}${ran.struck ? ` [${ran.fault}]` : ''}`
    : `${nameVerb(ran)}: ${generalize(wrong)}`

/** All that had been written can be had after this verb too. */
export async function checkAccount({ account, find }: Running, ran: VerbRun): Promise<void> {
  const lost = await account.check(/^(agent land|redo)/.test(ran.words.join(' ')))
  for (const { path, deed, id } of lost) {
    find(`lost by ${nameVerb(ran)}: ${generalize(deed.slice(0, 60))}`, `${JSON.stringify(path)} ${id}`)
  }
}

/** Ids of all records, oldest first. */
export function listIds({ dataDir }: CasePlace, room: string): string[] {
  try {
    const repos = join(dataDir, 'repos')
    return readdirSync(repos).flatMap((repo) => readdirSync(join(repos, repo, room)).sort())
  } catch {
    return []
  }
}

/** Ids that a step can be about: of those that are open if there are any, and otherwise of all. */
export function listOpen({ place, witnesses }: Running, room: 'invocations' | 'worktrees'): string[] {
  const all = listIds(place, room).filter((id) => !witnesses.has(id))
  const open = all.filter((id) => isOpen(place, `${room}/${id}/meta.json`))
  return open.length > 0 ? open : all
}

const CLOSED = /"(?:state": ?"archived|landing_status": ?"(?:landed|discarded))/

function isOpen(place: CasePlace, record: string): boolean {
  const text = readRecord(place, record)
  return text !== null && !CLOSED.test(text)
}

function readRecord(place: CasePlace, record: string): string | null {
  const path = join(repositoryDir(place) ?? '', record)
  try {
    return lstatSync(path).size < 100_000 && lstatSync(path).isFile() ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

const OURS = /\/(sandboxes|worktrees)\/([^/]+)\/tree$/

/** Whether a tree belongs to a closed record, or a journal is about it: then what lies there is half of something. */
export function isUnsettled(place: CasePlace, tree: string): boolean {
  const [, room, id = ''] = OURS.exec(tree) ?? []
  if (room === undefined) return false
  const records = room === 'sandboxes' ? 'invocations' : room
  const journals = listQuietly(join(repositoryDir(place) ?? '', 'journals'))
  return (
    journals.some((name) => name.includes(id)) ||
    CLOSED.test(readRecord(place, `${records}/${id}/meta.json`) ?? '')
  )
}

function listQuietly(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

/** Where agency keeps all about the repository, if it does by now. */
export function repositoryDir({ dataDir }: CasePlace): string | null {
  const repos = join(dataDir, 'repos')
  const [name] = existsSync(repos) ? readdirSync(repos) : []
  return name === undefined ? null : join(repos, name)
}
