// The home directory of a run in a box. It lies beside the sandbox's tree, keeps what the runner remembers, and goes
// with the sandbox; the person's own files are copied or shown, and never written.

import { cpSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DIR_MODE, lstatIfThere } from '../../core/doors/system/files.ts'
import type { NeededDirectory, RunnerNeeds } from '../../core/model/runner.ts'

export interface HomePlace {
  /** The run's. */
  readonly outside: string
  /** The person's. */
  readonly person: string
  /** That of the run whose session is gone on with; null where that had none of its own, or there is no such run. */
  readonly resumed: string | null
  readonly env: NodeJS.ProcessEnv
}

/** A file of the person's that is shown read-only at another place. */
export interface ShownFile {
  readonly from: string
  readonly to: string
}

export interface FilledHome {
  readonly shown: readonly ShownFile[]
  /** Those that name places in the home. */
  readonly variables: Readonly<Record<string, string>>
}

/** Bytes of all that is copied: settings and sessions, not caches. */
const MOST_BYTES = 256 * 1024 * 1024

/** What is there already stays as the runner left it. */
export function fillHome(place: HomePlace, { directories }: Pick<RunnerNeeds, 'directories'>): FilledHome {
  const { outside, person, resumed, env } = place
  mkdirSync(outside, { recursive: true, mode: DIR_MODE })
  const copy = copierOf(MOST_BYTES)
  for (const directory of directories) {
    const [own, made] = [ownPlace(directory, person, env), join(outside, directory.path)]
    for (const name of directory.copied) copy(join(own, name), join(made, name), 'followed')
    for (const name of directory.beside) copy(join(person, name), join(outside, name), 'followed')
    if (resumed === null) continue
    const before = resumed === person ? own : join(resumed, directory.path)
    for (const name of directory.sessions)
      copy(join(before, name), join(made, name), resumed === person ? 'followed' : 'left out')
  }
  return {
    shown: directories.flatMap((directory) => shownFiles(directory, person, env)),
    variables: Object.fromEntries(
      directories
        .filter(({ variable }) => env[variable])
        .map(({ variable, path }) => [variable, join(person, path)]),
    ),
  }
}

const ownPlace = ({ variable, path }: NeededDirectory, person: string, env: NodeJS.ProcessEnv): string =>
  env[variable] || join(person, path)

const shownFiles = (directory: NeededDirectory, person: string, env: NodeJS.ProcessEnv): ShownFile[] =>
  directory.shown
    .map((name) => ({
      from: join(ownPlace(directory, person, env), name),
      to: join(person, directory.path, name),
    }))
    .filter(({ from }) => lstatIfThere(from)?.isFile() === true)

/** Links of the person's lead where they mean. Those of an agent could lead anywhere, so they are left out. */
type Links = 'followed' | 'left out'

function copierOf(most: number): (from: string, to: string, links: Links) => void {
  let left = most
  return (from, to, links) => {
    if (lstatIfThere(from) === null || lstatIfThere(to) !== null) return
    if (links === 'left out' && realpathSync(from) !== from) return
    const look = links === 'followed' ? statSync : lstatSync
    mkdirSync(dirname(to), { recursive: true, mode: DIR_MODE })
    cpSync(from, to, {
      recursive: true,
      dereference: links === 'followed',
      filter: (source) => {
        const there = look(source, { throwIfNoEntry: false })
        left -= there?.isFile() === true ? there.size : 0
        return left >= 0 && (there?.isFile() === true || there?.isDirectory() === true)
      },
    })
  }
}
