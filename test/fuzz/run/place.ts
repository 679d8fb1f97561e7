// Where one case happens: a directory with a home, a data directory and a repository of its own, and an environment that
// knows nothing of the machine's.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killQuietly, processesWith } from '../../support/processes/processes.ts'
import type { Plan } from '../plan/plan.ts'

export interface CasePlace {
  readonly dir: string
  /** The built program that is tried. */
  readonly program: string
  /** A link to the repository, whose own path need not be text. */
  readonly here: string
  readonly dataDir: string
  /** What scripts and repositories beside ours need. */
  readonly out: string
  readonly env: Readonly<Record<string, string>>
  /** Ends all that the case has started and gives back what it has mounted. */
  clear(): void
  /** Deletes the directory. */
  remove(): void
}

/** Those whose case still runs. */
const open = new Set<CasePlace>()

/** For a run that is interrupted. */
export function removePlaces(): void {
  for (const place of open) place.remove()
}

/** This variable marks the processes of a case; hosts and agents have it too. */
const MARK = 'XDG_RUNTIME_DIR'

export function makePlace({ seed, world }: Plan, program: string): CasePlace {
  const { place, small } = world
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `fuzz-${seed}-`)))
  const at = (name: string): string => join(dir, name)
  for (const name of ['home', 'out', 'work', 'tmp', 'data']) mkdirSync(at(name))
  const repository = Buffer.concat([Buffer.from(`${at('work')}/`), Buffer.from(place, 'latin1')])
  mkdirSync(repository)
  symlinkSync(repository, at('here'))
  const mounted = small !== null && mount(at('data'), small)
  writeFileSync(at('home/.gitconfig'), CONFIGURATION)
  const clear = (): void => {
    for (const pid of processesWith(MARK, dir)) killQuietly(pid)
    if (mounted) quietly('umount', '-l', at('data'))
  }
  const made: CasePlace = {
    dir,
    program,
    here: at('here'),
    dataDir: at('data'),
    out: at('out'),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: at('home'),
      AGENCY_DATA_DIR: at('data'),
      TMPDIR: at('tmp'),
      [MARK]: dir,
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      SHELL: '/bin/sh',
    },
    clear: () => {
      open.delete(made)
      clear()
    },
    remove: () => {
      open.delete(made)
      clear()
      // Node does not delete what is deeper than a path may be long.
      quietly('chmod', '-R', 'u+rwx', dir)
      quietly('rm', '-rf', dir)
    },
  }
  open.add(made)
  return made
}

const CONFIGURATION = `[user]
\tname = Keeper
\temail = keeper@example.com
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[advice]
\tdetachedHead = false
[safe]
\tdirectory = *
`

/** Only root may mount. Without it, the case goes on with a data directory that does not become full. */
function mount(path: string, megabytes: number): boolean {
  return quietly('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'fuzz', path)
}

function quietly(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 60_000 })
    return true
  } catch {
    return false
  }
}
