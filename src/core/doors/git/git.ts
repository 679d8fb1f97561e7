// The door to git. Every call is an argument array in a scrubbed environment: no locale, no prompts, no optional locks.
// What else a call needs depends on the place that git is bound to (see clean-room.ts).

import { AgencyError } from '../../model/errors.ts'
import { AGENCY_IDENTITY } from '../../model/identity.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { errnoInWords, isOfTheMoment, machineError } from '../../model/system-failure.ts'
import type { Conversation, Git, GitOptions, GitResult, PreparedGit } from '../effects.ts'
import { openProcess, type ProcessPlace, runProcess } from '../spawner/run-process.ts'
import type { ProcessEnd, Spawner } from '../spawner/spawner.ts'
import { isDirectoryItself, realPathIfThere } from '../system/files.ts'
import { awaitWorking, type Patience, STUCK } from '../system/idle-watch.ts'
import { searchPath } from '../system/search-path.ts'
import { type GitReads, gitStuck, refuseOddFiles, unlistedError } from './git-reads.ts'
import { readRefFailure } from './ref-failure.ts'

/** The place that a git is bound to. */
export interface GitPlace {
  /** Starts git. */
  readonly spawner: Spawner
  readonly cwd: string
  /** In addition to what every git of ours is given. */
  readonly env: Readonly<Record<string, string>>
  /** What git reads there, and would wait in for ever if it were a pipe. */
  readonly reads: GitReads
}

/**
 * How long git may do nothing. Whatever it does itself takes as long as it takes, and a filter of the person's may wait for
 * a server.
 */
const PATIENCE: Patience = { idle: 15_000, blind: 600_000, own: 'git' }

/**
 * Settings for every call: programs that git must never run, whatever is configured. `--literal-pathspecs`, because a
 * file may be called `*` or `:(top)`.
 */
const ALWAYS = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'commit.gpgSign=false',
  '-c',
  'submodule.recurse=false',
  '-c',
  'core.quotePath=false',
  // The commit graph is a cache in the shared repository that git believes unchecked: a forged one gives commits other
  // parents.
  '-c',
  'core.commitGraph=false',
  '-c',
  'advice.addEmbeddedRepo=false',
  // We name refs in full, and HEAD is always HEAD, even if a branch or a tag is called HEAD too.
  '-c',
  'core.warnAmbiguousRefs=false',
]

export function bindGit(place: GitPlace): Git {
  const run = (args: readonly string[], options: GitOptions = {}) => runGit(place, args, options)
  const text = async (args: readonly string[], options?: GitOptions) =>
    (await run(args, options)).stdout.toString('utf8').replace(/\n$/, '')
  return {
    run,
    text,
    object: async (args, options): Promise<ObjectId> => parseObjectId(await text(args, options)),
    fields: async (args, options) => splitFields((await run(args, options)).stdout),
    prepare: (args, options = {}) => prepareGit(place, args, options),
    converse: (args) => converseWithGit(place, args),
  }
}

/** Splits -z output. What follows the last NUL is empty and is no field. */
export function splitFields(output: Buffer): string[] {
  if (output.length === 0) return []
  const fields = output.toString('utf8').split('\0')
  if (fields.at(-1) === '') fields.pop()
  return fields
}

async function runGit(place: GitPlace, args: readonly string[], options: GitOptions): Promise<GitResult> {
  refuseOddFiles(place.reads)
  const result = await runProcess('git', [...ALWAYS, ...args], {
    ...settings(place, options),
    input: options.input,
    limits: options.limits,
    patience: PATIENCE,
  })
  return judgeResult({ place, args, options }, result)
}

/** Waits for a line and then becomes git. If we die or give up before that, there is no line, and it ends. */
const GATE = 'read -r go && exec git "$@" </dev/null'

/**
 * In a process group of its own, so that a Ctrl-C in the person's terminal does not stop it in the middle of a tree.
 */
async function prepareGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions,
): Promise<PreparedGit> {
  refuseOddFiles(place.reads)
  const gate = openProcess('/bin/sh', ['-c', GATE, 'git', ...ALWAYS, ...args], {
    ...settings(place, options),
    detached: true,
  })
  const pid = await gate.pid
  if (pid === undefined) throw notRun(place, args, await gate.ended)
  return {
    pid,
    start: async () => {
      gate.end('go\n')
      return judgeResult({ place, args, options }, await awaitWorking(gate, PATIENCE))
    },
    abandon: () => gate.end(),
  }
}

async function converseWithGit(place: GitPlace, args: readonly string[]): Promise<Conversation> {
  const { createInterface } = await import('node:readline')
  refuseOddFiles(place.reads)
  const talk = openProcess('git', [...ALWAYS, ...args], {
    ...settings(place, {}),
    detached: false,
  })
  let questions = 0
  const ended = awaitWorking(talk, PATIENCE, () => questions > 0)
  const asking = async <T>(answer: Promise<T>): Promise<T> => {
    questions += 1
    return answer.finally(() => {
      questions -= 1
    })
  }
  const stuck = new Promise<{ value: undefined; done: true }>((resolve) => {
    void ended.then(({ code }) => code === STUCK && resolve({ value: undefined, done: true }))
  })
  let answers: AsyncIterator<string, undefined> | null = null
  return {
    ask: async (line) => {
      answers ??= createInterface({ input: talk.stdout })[Symbol.asyncIterator]()
      talk.write(`${line}\n`)
      const { value, done } = await asking(Promise.race([answers.next(), stuck]))
      if (done !== true) return value
      throw failureOfGit(place, args, await ended)
    },
    finish: async (input, options = {}) => {
      talk.end(input)
      return judgeResult({ place, args, options }, await asking(ended))
    },
    end: async () => {
      talk.end()
      await asking(ended)
    },
  }
}

function settings(place: GitPlace, options: GitOptions): ProcessPlace {
  const env = { ...gitEnvironment(process.env), ...place.env, ...options.env }
  return {
    spawner: place.spawner,
    cwd: place.cwd,
    env: options.index === undefined ? env : { ...env, GIT_INDEX_FILE: options.index },
  }
}

interface Asked {
  readonly place: GitPlace
  readonly args: readonly string[]
  readonly options: Pick<GitOptions, 'answers'>
}

function judgeResult({ place, args, options }: Asked, result: ProcessEnd): GitResult {
  const { exitCode, stdout } = result
  if (exitCode === undefined) throw notRun(place, args, result)
  if (exitCode !== 0 && !(options.answers ?? []).includes(exitCode)) throw failureOfGit(place, args, result)
  return { exitCode, stdout, stderr: result.stderr.toString('utf8') }
}

const failureOfGit = (place: GitPlace, args: readonly string[], result: ProcessEnd): AgencyError =>
  result.exitCode === undefined
    ? notRun(place, args, result)
    : (unlistedError(place.reads, result.stderr.toString('utf8')) ??
      gitFailure(args, result.exitCode, result.stderr.toString('utf8')))

/**
 * The person's environment without variables that point git elsewhere, make it ask, or make it speak another language.
 */
function gitEnvironment(from: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(from).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
  )
  return {
    ...Object.fromEntries(kept),
    PATH: searchPath(from),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // Replace refs and grafts live in the shared repository; by them one object would be read as another.
    GIT_NO_REPLACE_OBJECTS: '1',
    // A file that cannot exist, because with an empty one git prints advice.
    GIT_GRAFT_FILE: '/dev/null/none',
    GIT_EDITOR: 'false',
    GIT_AUTHOR_NAME: AGENCY_IDENTITY.name,
    GIT_AUTHOR_EMAIL: AGENCY_IDENTITY.email,
    GIT_COMMITTER_NAME: AGENCY_IDENTITY.name,
    GIT_COMMITTER_EMAIL: AGENCY_IDENTITY.email,
  }
}

/** The git command in these arguments: the first word after the settings. */
const commandOf = ([first = '', , ...others]: readonly string[]): string =>
  first === '-c' ? commandOf(others) : first

/** Also throws E_DIRECTORY_GONE: to the system, a missing directory looks like a missing git. */
function notRun(place: GitPlace, args: readonly string[], result: ProcessEnd): AgencyError {
  const { code, signal } = result
  if (code === STUCK) return gitStuck(commandOf(args), place.reads)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    if (isDirectoryItself(realPathIfThere(place.cwd) ?? place.cwd)) return new AgencyError('E_GIT_MISSING')
    return new AgencyError('E_DIRECTORY_GONE', `${place.cwd} is gone, so git cannot look at it`)
  }
  const failed = machineError(code ?? signal ?? '', `could not run git ${commandOf(args)}`)
  if (failed !== null && code !== 'EFBIG') return failed
  const why = signal === undefined ? (code ?? 'no exit code') : `it was ended by ${signal}`
  const limit = code === 'EFBIG' || code === 'ETIMEDOUT' ? code : undefined
  return new AgencyError('E_GIT_FAILED', `git ${commandOf(args)} did not finish: ${why}`, {
    details: { limit },
  })
}

/** For `catch`: null for any failure but that of a git that got stuck, as it would get stuck the next time too. */
export function nullUnlessStuck(error: unknown): null {
  if (error instanceof AgencyError && (error.code === 'E_GIT_STUCK' || error.code === 'E_FILE_UNREADABLE'))
    throw error
  return null
}

/**
 * Whether git came to an answer, or to a limit of ours. If the machine ended it, or had no more to give, that says
 * nothing of what it read.
 */
export const hasAnswered = (error: unknown): error is AgencyError =>
  error instanceof AgencyError &&
  !isOfTheMoment(error.code) &&
  (error.details['exit_code'] !== undefined || error.details['limit'] !== undefined)

function gitFailure(args: readonly string[], exitCode: number, stderr: string): AgencyError {
  const said = stderr.trim().split('\n').slice(-4).join('\n')
  const details = { args, exit_code: exitCode, stderr: stderr.slice(-4000) }
  const doing = `git ${commandOf(args)} failed (exit ${exitCode}): ${said}`
  const failed = machineError(errnoInWords(stderr) ?? '', doing, { details })
  if (failed !== null) return failed
  const refs = readRefFailure(stderr)
  if (refs !== null) return new AgencyError(refs.code, refs.message, { details })
  return new AgencyError('E_GIT_FAILED', doing, { details })
}
