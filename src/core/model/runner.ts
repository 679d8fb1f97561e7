// What the core knows of a runner: how to ask for one, but no runner's name. The rows are in src/runners.

import type { CheckpointSettings } from './checkpoint-settings.ts'
import type { ExitReason, RunMode, Usage } from './invocation.ts'
import type { StreamParser } from './stream-event.ts'

export interface LaunchRequest {
  readonly mode: RunMode
  /** The sandbox's tree, as it is called inside of the environment: the runner's working directory. */
  readonly sandbox_path: string
  /** The whole prompt; null starts a headed runner without one. */
  readonly prompt: string | null
  /** Where the whole prompt lies as a file, inside, for runners that would rather read it; null without a prompt. */
  readonly prompt_path: string | null
  /** What the person typed: an alias, or the runner's own name for a model. */
  readonly model: string | null
  /** What --runner-arg gave, then what came after --. */
  readonly extra_args: readonly string[]
  /** A fresh UUID, for runners that accept a session id from us. */
  readonly new_session_id: string
  /** Continue this session of the runner's instead of starting a new one. */
  readonly resume_session_id: string | null
}

/** What to execute. `argv[0]` is an absolute path. */
export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]]
  /** Added to the environment of the person. */
  readonly env: Readonly<Record<string, string>>
  /** Written to the standard input of a headless runner, which is then closed; null gives /dev/null. */
  readonly stdin: string | null
  /** The session id, if it is known before the start because the runner accepts ours. */
  readonly runner_session_id: string | null
  /** It reports its state through its terminal as soon as it takes prompts: see the host's status keeper. */
  readonly reports_status?: boolean | undefined
}

/** What of the person's own a runner needs in a box, where it has a home of its own. */
export interface RunnerNeeds {
  /** Names of variables that are passed on; `CLAUDE_*` means all that begin so. */
  readonly variables: readonly string[]
  readonly directories: readonly NeededDirectory[]
  /** Of its own service, as a rule of `allow` names them. */
  readonly hosts: readonly string[]
  /** Variables whose URLs lead to the service instead. */
  readonly host_variables: readonly string[]
}

/** Where a runner keeps what is its own. Paths in it may be files or directories; what is not there is left out. */
export interface NeededDirectory {
  /** From the home directory. */
  readonly path: string
  /** A variable that names another place; inside it is at `path` all the same. */
  readonly variable: string
  /** The person's own, read-only: credentials, which change. */
  readonly shown: readonly string[]
  /** Of these it gets a copy to write on. */
  readonly copied: readonly string[]
  /** Copied from the run that is gone on with. */
  readonly sessions: readonly string[]
  /** Copied from the home directory itself. */
  readonly beside: readonly string[]
}

export const STREAM_FORMATS = ['claude', 'codex', 'text'] as const
export type StreamFormat = (typeof STREAM_FORMATS)[number]

/** How a headless or headed process ended, and what it said of itself. */
export interface RunEnd {
  readonly exit_code: number | null
  readonly exit_signal: string | null
  /** What we asked of it before it ended. */
  readonly asked: 'nothing' | 'stop' | 'kill'
  /** The last `result` event, if any. */
  readonly result: { readonly ok: boolean; readonly summary: string; readonly usage: Usage } | null
  /** The last `error` event's message, if any. */
  readonly last_error: string | null
}

export interface RunOutcome {
  readonly status: 'finished' | 'failed'
  readonly exit_reason: ExitReason
  readonly failure: string | null
}

export type Availability =
  | { readonly state: 'ready'; readonly executable: string; readonly version: string | null }
  | {
      readonly state: 'unavailable'
      readonly code: 'E_RUNNER_MISSING' | 'E_RUNNER_TOO_OLD' | 'E_RUNNER_NO_ACCOUNT'
      /** What is wrong, in words. */
      readonly message: string
      /** What to type. */
      readonly hint: string
    }

/** A way to let a runner do more than the person has configured. Only used if the person chooses it. */
export interface PermissionChoice {
  /** Short, and never changed, because choices are remembered by it. */
  readonly name: string
  /** What the runner may then do, such as `edit files`. */
  readonly title: string
  /** As --runner-arg would give them. */
  readonly args: readonly string[]
}

export interface Runner {
  readonly name: string
  /** For people: `Claude Code`. */
  readonly title: string
  readonly modes: readonly RunMode[]
  readonly stream_format: StreamFormat
  /** From an alias to the runner's own name of a model. */
  readonly models: Readonly<Record<string, string>>
  /** Whether it can be asked for a model at all. */
  readonly takes_model: boolean
  /** Choices beside what the person has configured. */
  readonly permissions: readonly PermissionChoice[]
  /** Nothing where it is missing. */
  readonly needs?: RunnerNeeds
  /** Looks at PATH, version and account. It runs `EXECUTABLE --version` at most. */
  probe(env: NodeJS.ProcessEnv): Promise<Availability>
  /** Pure. `executable` is what the probe found. */
  planLaunch(request: LaunchRequest, executable: string): LaunchPlan
}

/** The runners that this person has: the built-in ones and those of config.toml. */
export interface RunnerCatalog {
  readonly names: readonly string[]
  /** Throws E_RUNNER_UNKNOWN, naming those that there are. */
  get(name: string): Runner
}

/** Makes a new parser for each run, because a parser may keep state. */
export type StreamParserFactory = (format: StreamFormat) => StreamParser

/**
 * The starter spawns a host early, tells it what to run, and then when. If it closes the pipe instead, the host ends.
 */
export interface HostLaunch {
  readonly data_dir: string
  readonly repo_id: string
  readonly invocation_id: string
  readonly mode: RunMode
  readonly stream_format: StreamFormat
  readonly plan: LaunchPlan
  readonly needs?: RunnerNeeds | undefined
  /** The invocation whose session is gone on with. */
  readonly resumes?: string | undefined
  readonly columns: number
  readonly rows: number
  /** As the person wrote it. It is the first event of the transcript. */
  readonly prompt: string | null
  /** How checkpoints are taken; null: no automatic ones. */
  readonly checkpoint: CheckpointSettings | null
}

/** A host process that boots while its sandbox is still being made. */
export interface PendingHost {
  readonly pid: number
  /** Tells it what will be run, so that it can make ready. It does not touch the sandbox yet. */
  prepare(launch: HostLaunch): void
  /**
   * Resolves when the runner that was prepared has been executed and the record says `running`. Throws E_HOST_FAILED or
   * E_RUNNER_START_FAILED.
   */
  launch(): Promise<void>
  /** For a start that has failed elsewhere: the host ends and leaves nothing behind. */
  abandon(): void
}

/** Boots hosts and talks to them. Implemented in src/runners/host-client; the core only asks. */
export interface HostDoor {
  boot(): Promise<PendingHost>
  /**
   * Asks the host to end its runner: `stop` is SIGINT and after 5 s SIGTERM, `kill` is SIGKILL, to every descendant.
   * Resolves true when the host says that all have ended, false if some are still alive. Throws E_HOST_GONE if no host
   * answers.
   */
  end(socketPath: string, how: 'stop' | 'kill'): Promise<boolean>
  /**
   * Types bytes into a headed runner's terminal. A text that ends with Enter is pasted and then sent. Throws
   * E_HOST_GONE.
   */
  send(socketPath: string, bytes: Uint8Array): Promise<void>
  /** Joins a headed runner's terminal. Throws E_HOST_GONE. */
  attach(
    socketPath: string,
    size: { columns: number; rows: number },
    events: AttachEvents,
  ): Promise<Attachment>
}

export interface AttachEvents {
  /**
   * The screen as it is now, as escape sequences that draw it on a reset terminal. This or `onState` is called once,
   * before `onData`.
   */
  onSnapshot(bytes: Uint8Array): void
  /** For a client with an emulator like the host's: all that the host's is. An older host calls `onSnapshot`. */
  onState?(bytes: Uint8Array): void
  onData(bytes: Uint8Array): void
  /** The runner has ended (exit code and signal as in the record), or the host has vanished (null). */
  onEnd(end: { exit_code: number | null; exit_signal: string | null } | null): void
}

export interface Attachment {
  write(bytes: Uint8Array): void
  resize(columns: number, rows: number): void
  detach(): void
}
