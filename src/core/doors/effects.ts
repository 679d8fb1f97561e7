// The doors to the world: git, files, processes, clock, hosts. Operations reach it through these only, so that a
// test can stand at a door and make any step fail.

import type { EnvironmentCatalog } from '../model/environment-catalog.ts'
import type { ObjectId } from '../model/ids.ts'
import type { ProcessIdentity } from '../model/invocation.ts'
import type { HostDoor, RunnerCatalog } from '../model/runner.ts'
import type { Spawner } from './spawner/spawner.ts'

export interface Clock {
  now(): Date
  sleep(milliseconds: number): Promise<void>
}

export interface GitOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** An index file of our own instead of the tree's. */
  readonly index?: string
  /** Exit codes that are answers and not failures; 0 always is. */
  readonly answers?: readonly number[]
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
  /** The fields of -z output, invalid UTF-8 kept as latin1-safe bytes is not promised: use `run` for raw paths. */
  fields(args: readonly string[], options?: GitOptions): Promise<string[]>
  /** A git that exists, so that its pid can be written down, and does nothing before it is started. */
  prepare(args: readonly string[], options?: Omit<GitOptions, 'input'>): Promise<PreparedGit>
  /** A command that answers each line of its input by a line, at once. */
  converse(args: readonly string[]): Promise<Conversation>
}

/** One git that answers many questions, one line each, in the order in which they are asked. */
export interface Conversation {
  ask(line: string): Promise<string>
  /** The last that it is told, and all that it has answered from the beginning. */
  finish(input: string | Uint8Array, options?: Pick<GitOptions, 'answers'>): Promise<GitResult>
  end(): Promise<void>
}

/** It ends by itself when we die before `start`. After that it outlives us. */
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
  /** Refs and objects only. */
  readonly store: Git
  /** One of its work trees. */
  tree(where: TreeLocation): Git
  /** The same repository, where whatever git writes goes to `objectDir` instead. */
  drafting(objectDir: string): RepositoryGit
  /** What is written is thrown away. */
  readonly isDraft: boolean
  /** The same repository, which reads objects of another one too, and believes them as long as it does. */
  borrowing(objectDir: string): RepositoryGit
  /** The real repository, for the few commands that write its administration (worktree add, prune). Executable settings are overridden. */
  readonly real: Git
}

export interface Processes {
  identityOf(pid: number): ProcessIdentity | null
  /** How it calls itself: its arguments, unless it has said otherwise. null where it is not to be seen. */
  titleOf(pid: number): string | null
  /** Alive and the same process. */
  isAlive(identity: ProcessIdentity): boolean
  readonly self: ProcessIdentity
  /**
   * Every live process that carries AGENCY_INVOCATION_ID=id in its environment, or whose environment was wiped and which
   * works inside `treePath`, and their descendants. Never ourselves; never a person's own shell or editor in the sandbox.
   */
  ofInvocation(invocationId: string, treePath: string): Promise<readonly ProcessIdentity[]>
  /** Skips those that have ended or whose pid was reused. */
  signal(processes: readonly ProcessIdentity[], signal: NodeJS.Signals): void
  /**
   * Deletes a directory in the background, in a process that outlives us; what is mounted inside stays. Where one of its
   * files has changed after `wholeAt` (milliseconds since the epoch), it is renamed to `<path>.kept` instead.
   */
  deleteLater(path: string, wholeAt?: number): void
}

export interface DirectoryWatch {
  close(): void
}

export interface DirectoryEvents {
  /** Name of an entry that came, changed or went; null where the system does not say. Many a change are told twice. */
  changed(name: string | null): void
  /** It cannot be watched, or no longer. */
  failed(error: unknown): void
}

/** Not what lies in its subdirectories. Nothing is told of a directory that is not there. */
export type DirectoryWatcher = (path: string, events: DirectoryEvents) => DirectoryWatch

export interface Effects {
  readonly clock: Clock
  /** What starts git for this place. */
  readonly spawner: Spawner
  readonly processes: Processes
  readonly hosts: HostDoor
  readonly runners: RunnerCatalog
  readonly environments: EnvironmentCatalog
  readonly watchDirectory: DirectoryWatcher
  /** Two random bytes, for ids. */
  random(): Uint8Array
  /** Told the name of each step before it is done; a test throws here to prove that nothing is left behind. */
  onStep(step: string): void
  readonly env: NodeJS.ProcessEnv
  readonly dataDir: string
}
