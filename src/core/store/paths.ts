// Where everything lies on disk. The README's 'Where things lie' shows the same to a person.

import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { type SandboxPath, sandboxPath } from '../model/sandbox-path.ts'

/** AGENCY_DATA_DIR, else $XDG_DATA_HOME/agency, else the platform's usual place. */
export function dataDirectory(env: NodeJS.ProcessEnv): string {
  if (env['AGENCY_DATA_DIR']) return env['AGENCY_DATA_DIR']
  if (env['XDG_DATA_HOME']) return join(env['XDG_DATA_HOME'], 'agency')
  const home = env['HOME'] ?? homedir()
  return platform() === 'darwin'
    ? join(home, 'Library', 'Application Support', 'agency')
    : join(home, '.local', 'share', 'agency')
}

export function configPath(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config')
  return join(base, 'agency', 'config.toml')
}

export interface WorktreePaths {
  readonly dir: string
  readonly meta: string
  readonly tree: string
}

export interface InvocationPaths {
  readonly dir: string
  readonly meta: string
  readonly events: string
  readonly prompt: string
  /** What its runner last reported through its terminal. The host writes it. */
  readonly status: string
  readonly sandboxDir: string
  /** The sandbox's files. Only its changeset can open this location. */
  readonly tree: SandboxPath
  readonly logsDir: string
  readonly raw: string
  readonly stderr: string
  readonly stream: string
  readonly cast: string
  readonly hostLog: string
  /** What the environment's setup and teardown said. */
  readonly setupLog: string
  readonly checkpoints: string
  /** What the last look at a clean tree saw. Only a memory: it may be deleted at any time. */
  readonly looked: string
  /** Files that no commit had and that stood in the way of a restore, by the operation that moved them. */
  readonly setAside: string
}

export interface RepoPaths {
  readonly dir: string
  readonly record: string
  readonly lock: string
  readonly operations: string
  /** Landings, undos and restores that are being written: a file for each tree. Empty but during that, or after a kill. */
  readonly journalsDir: string
  /** Where the journals of all landings and of all restores lay once. Read if a kill of that version has left one. */
  readonly oldJournals: { readonly landing: string; readonly restore: string }
  readonly cleanRoom: string
  /** Which records are closed. Only a memory: it may be deleted at any time. */
  readonly closed: string
  /** What the dashboard remembers, and nobody else reads. */
  readonly ui: string
  readonly worktreesDir: string
  readonly invocationsDir: string
  readonly sandboxesDir: string
  /** Trees that were moved away: they are being deleted, or wait because git cannot hold all of them. */
  readonly trashDir: string
  worktree(id: string): WorktreePaths
  invocation(id: string): InvocationPaths
}

export function repoPaths(dataDir: string, repoId: string): RepoPaths {
  const dir = join(dataDir, 'repos', repoId)
  const at = (path: string): string => `${dir}/${path}`
  return {
    dir,
    record: at('repo.json'),
    lock: at('.lock'),
    operations: at('operations.jsonl'),
    journalsDir: at('journals'),
    oldJournals: { landing: at('journal.json'), restore: at('restoring.json') },
    cleanRoom: at('clean-room.git'),
    closed: at('closed.json'),
    ui: at('ui.json'),
    worktreesDir: at('worktrees'),
    invocationsDir: at('invocations'),
    sandboxesDir: at('sandboxes'),
    trashDir: at('trash'),
    worktree: (id) => ({
      dir: at(`worktrees/${id}`),
      meta: at(`worktrees/${id}/meta.json`),
      tree: at(`worktrees/${id}/tree`),
    }),
    invocation: (id) => invocationPaths(at(`invocations/${id}`), at(`sandboxes/${id}`)),
  }
}

/** Joined by hand, because lists ask for ten thousand of them and `join` looks at every character. */
function invocationPaths(dir: string, sandboxDir: string): InvocationPaths {
  const logsDir = `${sandboxDir}/logs`
  return {
    dir,
    meta: `${dir}/meta.json`,
    events: `${dir}/events.jsonl`,
    prompt: `${dir}/prompt.md`,
    status: `${dir}/runner_status.json`,
    sandboxDir,
    tree: sandboxPath(`${sandboxDir}/tree`),
    logsDir,
    raw: `${logsDir}/raw.jsonl`,
    stderr: `${logsDir}/stderr.log`,
    stream: `${logsDir}/stream.jsonl`,
    cast: `${logsDir}/session.cast`,
    hostLog: `${logsDir}/host.log`,
    setupLog: `${logsDir}/setup.log`,
    checkpoints: `${sandboxDir}/checkpoints.json`,
    looked: `${sandboxDir}/looked`,
    setAside: `${sandboxDir}/set-aside`,
  }
}
