// The one account that every case is checked by: what an agent or a person wrote, and could be had before a verb, can be had
// after it: in a tree, in the trash, or reachable from a ref. What the author took away by himself is not looked for.

import { setTimeout as delay } from 'node:timers/promises'
import type { World } from '../plan/world.ts'
import type { CasePlace } from '../run/place.ts'
import { isConverted } from './converted.ts'
import { type Entry, type Look, makeLooker } from './look.ts'
import { type Reached, readReached } from './reachable.ts'

export interface Lost {
  readonly id: string
  readonly path: string
  /** Which deed made it, or what kind of thing it is. */
  readonly deed: string
}

export interface Account {
  /** Somebody has written. */
  note(): Promise<void>
  /**
   * A verb has run. Bytes that a check-out makes again of what git has are not lost. A landing may keep what git's filters
   * make of a file, whatever they would make of that.
   */
  check(landed: boolean): Promise<Lost[]>
  /** As it was when the account was last made up. */
  trees(): Look['trees']
  /** What git said of repositories that it could not read. */
  unread(): readonly string[]
}

interface Written {
  readonly path: string
  readonly deed: string
  readonly bytes: Buffer | null
  /** Of the tree that it was in. */
  readonly attributes: Buffer | null
}

/** How long to wait for what is being moved just now, in tries and milliseconds. */
const TRIES = 20
const PAUSE = 250

/**
 * Not promised: ignored files are not kept (README, 'What it promises'); all of ours that are ignored have it in their name.
 * Our own marks are no one's work.
 */
const NOT_PROMISED = /ignored|^\.agency\/(?:(?:SANDBOX|INTEGRATION)_MARKER|\.gitignore)$/

export const isPromised = (path: string): boolean => !NOT_PROMISED.test(path)

export async function openAccount(place: CasePlace, world: World): Promise<Account> {
  const look = makeLooker(place, world)
  const written = new Map<string, Written>()
  let now = await lookAll()
  async function lookAll(): Promise<{ look: Look; reached: Reached; has(id: string): boolean }> {
    const seen = look()
    const reached = await readReached(seen.gitDirs, place.env)
    return { look: seen, reached, has: (id) => seen.present.has(id) || reached.ids.has(id) }
  }
  const note = async (): Promise<void> => {
    now = await lookAll()
    for (const entries of now.look.trees.values()) {
      const attributes = entries.get('.gitattributes')?.bytes ?? null
      for (const [path, { id, deed, bytes }] of entries) {
        if (id !== null && isPromised(path)) written.set(id, { path, deed, bytes, attributes })
      }
    }
    for (const [id, what] of now.reached.made) {
      written.set(id, { path: what, deed: what, bytes: null, attributes: null })
    }
  }
  const check = async (landed: boolean): Promise<Lost[]> => {
    const before = now
    const needed = [...written].filter(([id]) => before.has(id))
    for (let attempt = 1; ; attempt++) {
      now = await lookAll()
      const current = now
      // Where git cannot walk, nothing can be said; that itself is found at the end.
      if (current.reached.unread.length > 0) return []
      const missing = needed.filter(([id]) => !current.has(id))
      const lost = missing.filter(([, one]) => !isConverted(one, place, { landed, has: current.has }))
      if (lost.length === 0 || attempt === TRIES)
        return lost.map(([id, { path, deed }]) => ({ id, path, deed }))
      await delay(PAUSE)
    }
  }
  return { note, check, trees: () => now.look.trees, unread: () => now.reached.unread }
}

/** Where a restore puts what an agent had in the place of its `.git`: `changesets/worktree/restore/`. */
const SET_ASIDE = /^\.agency\/replaced-git-/

/** Our own directory: a restore makes it anew whatever an agent put in its place, and leaves that in the trash. */
const MADE_ANEW = '.agency'

export type Difference = 'missing' | 'more' | 'content' | 'mode' | 'kind' | 'empty directory'

/** How a tree that came back differs from what it was. */
export function compareTrees(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): { path: string; deed: string; difference: Difference }[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => isPromised(path) && !SET_ASIDE.test(path),
  )
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)]
    const difference = compareEntries(was, is)
    return difference === null || (path === MADE_ANEW && /^(more|kind)$/.test(difference))
      ? []
      : [{ path, deed: was?.deed || is?.deed || (path.split('/').at(-1) ?? ''), difference }]
  })
}

function compareEntries(was: Entry | undefined, is: Entry | undefined): Difference | null {
  if (was === undefined) return 'more'
  // A pipe or socket holds nothing: `src/core/changesets/worktree/capture/capture-quickly.ts`.
  if (is === undefined && was.kind === 'other') return null
  if (is === undefined) return was.kind === 'directory' ? 'empty directory' : 'missing'
  if (was.kind !== is.kind) return 'kind'
  if (was.id !== is.id) return 'content'
  return was.kind !== 'link' && was.mode !== is.mode ? 'mode' : null
}
