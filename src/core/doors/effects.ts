// The doors to the world: git, files, processes, clock, hosts. Operations reach the world through these only, so that a
// test can stand at a door and make any step fail.

import type { EnvironmentCatalog } from '../model/environment-catalog.ts'
import type { ObjectId } from '../model/ids.ts'
import type { ProcessIdentity } from '../model/invocation.ts'
import type { HostDoor, RunnerCatalog } from '../model/runner.ts'
import type { Spawner, SpawnLimits } from './spawner/spawner.ts'

export interface Clock {
  /** The time of day, which anybody may set. File times follow it. */
  now(): Date
  /** Milliseconds since some moment: they only grow, whatever is done to the clock. For all waiting. */
  elapsed(): number
  sleep(milliseconds: number): Promise<void>
}

export interface GitOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** An index file of our own instead of the tree's. */
  readonly index?: string
  /** Exit codes that are answers and not failures. 0 always is one. */
  readonly answers?: readonly number[]
  /** Beyond one of these it is killed, which throws E_GIT_FAILED. */
  readonly limits?: SpawnLimits
}

export interface GitResult {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** git, bound to one place. Throws E_GIT_FAILED on an exit code that is no answer, E_GIT_MISSING without git. */
export interface Git {
  run(args: readonly string[], options?: GitOptions): Promise<GitResult>
  /** Standard output as text without the last newline. */
  text(args: readonly string[], options?: GitOptions): Promise<string>
  /** A command that prints one object name. */
  object(args: readonly string[], options?: GitOptions): Promise<ObjectId>
  /**
   * The fields of -z output as text. A path need not be valid UTF-8: where that matters, use `run`, which gives bytes.
   */
  fields(args: readonly string[], options?: GitOptions): Promise<string[]>
  /** A git that waits to be started, so that its pid can be written down before it does anything. */
  prepare(args: readonly string[], options?: Omit<GitOptions, 'input' | 'limits'>): Promise<PreparedGit>
  /** Starts a command that answers each line of its input with a line at once. */
  converse(args: readonly string[]): Promise<Conversation>
}

/** One git that answers many questions, one line each, in the order in which they are asked. */
export interface Conversation {
  ask(line: string): Promise<string>
  /** Sends the last input and ends it. The result holds all that git has answered from the beginning. */
  finish(input: string | Uint8Array, options?: Pick<GitOptions, 'answers'>): Promise<GitResult>
  end(): Promise<void>
}

/** If we die before `start`, it ends by itself. Once started, it outlives us. */
export interface PreparedGit {
  readonly pid: number
  start(): Promise<GitResult>
  abandon(): void
}

/** A work tree and its own git directory (`.git/worktrees/<n>`), both as we recorded them: the tree's `.git` file is never believed. */
export interface TreeLocation {
  readonly tree_path: string
  readonly git_dir: string
}

/**
 * git on one repository, in a clean room: configuration, hooks and drivers that an agent planted in the shared
 * `.git` are not read (see clean-room.ts).
 */
export interface RepositoryGit {
  readonly commonDir: string
  /** Works without any work tree: on refs and objects only. */
  readonly store: Git
  /** Works on one work tree of the repository. */
  tree(where: TreeLocation): Git
  /** The same repository, but whatever git writes goes to `objectDir`. */
  drafting(objectDir: string): RepositoryGit
  /** True for a repository made by `drafting`, whose objects will be thrown away. */
  readonly isDraft: boolean
  /** The same repository, but git also reads and believes the objects in `objectDir`. */
  borrowing(objectDir: string): RepositoryGit
  /**
   * The real repository, for the few commands that write its administration (worktree add, prune). Settings by which
   * git would run a program are overridden.
   */
  readonly real: Git
}

export interface Processes {
  identityOf(pid: number): ProcessIdentity | null
  /**
   * What the process shows in a process list: its arguments, unless it has changed that. null where it cannot be read.
   */
  titleOf(pid: number): string | null
  /** Those that show this in a process list. */
  titled(title: string): readonly ProcessIdentity[]
  /** The process, with all that it and they have started. None where it has ended. */
  familyOf(identity: ProcessIdentity): readonly ProcessIdentity[]
  /** Alive and the same process. */
  isAlive(identity: ProcessIdentity): boolean
  readonly self: ProcessIdentity
  /**
   * Every live process that carries AGENCY_INVOCATION_ID=id in its environment, every one with a wiped environment that
   * works inside `treePath`, and the descendants of both. Never ourselves; never a person's own shell or editor in the
   * sandbox.
   */
  ofInvocation(invocationId: string, treePath: string): Promise<readonly ProcessIdentity[]>
  /** A live process that may hold this lock file of the repository with these places; null if none can. */
  holderOf(lock: string, places: readonly string[]): ProcessIdentity | null
  /** Skips processes that have ended, and pids that were given to another process. */
  signal(processes: readonly ProcessIdentity[], signal: NodeJS.Signals): void
  /**
   * Deletes a directory in the background, in a process that outlives us. What is mounted inside stays. If one of its
   * files has changed after `wholeAt` (milliseconds since the epoch), the directory is renamed to `<path>.kept`
   * instead.
   */
  deleteLater(path: string, wholeAt?: number): void
}

export interface DirectoryWatch {
  close(): void
}

export interface DirectoryEvents {
  /**
   * The name of an entry that came, changed or went; null where the system does not say. One change may be told several
   * times.
   */
  changed(name: string | null): void
  /** The directory cannot be watched, or no longer. */
  failed(error: unknown): void
}

/** Watches the directory alone, not its subdirectories. If it does not exist, nothing is ever told. */
export type DirectoryWatcher = (path: string, events: DirectoryEvents) => DirectoryWatch

export interface Effects {
  readonly clock: Clock
  /** Starts git for this place. */
  readonly spawner: Spawner
  readonly processes: Processes
  readonly hosts: HostDoor
  readonly runners: RunnerCatalog
  readonly environments: EnvironmentCatalog
  readonly watchDirectory: DirectoryWatcher
  /** Two random bytes, for ids. */
  random(): Uint8Array
  /** Called with the name of each step before it is done. A test throws here to prove that nothing is left behind. */
  onStep(step: string): void
  readonly env: NodeJS.ProcessEnv
  readonly dataDir: string
}
