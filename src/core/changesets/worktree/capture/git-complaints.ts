// What `git add` says that it left out, or gave up at, and why, in words for people. git cuts a message off after 4,096
// bytes, so a quote that was opened need not be closed. Whatever is not understood counts as left out too. Pure.

/** A path as shown, or git's own words where it names none; and why git cannot hold it. */
export interface Unheld {
  readonly path: string
  readonly why: string
}

export interface Complaints {
  readonly incomplete: readonly Unheld[]
  /** Paths that git may have complained about only because they changed at that moment. */
  readonly retry: readonly string[]
}

/** Each with the path as its first group. */
const LEFT_OUT: readonly RegExp[] = [
  /^error: '(.+)\/' does not have a commit checked out$/,
  /^warning: could not open directory '(.+?)(?:\/?': .*)?$/,
  /^error: unable to add '(.+)' to index$/,
  /^error: unable to add '(.+)$/,
  /^Ignoring path (.+)$/,
]

const WORTH_ANOTHER_LOOK: readonly RegExp[] = [
  /^error: unable to index file '(.+)'$/,
  /^error: (.+): can only add regular files, symbolic links or git-directories$/,
  /^warning: confused by unstable object source data for (.+)$/,
]

/** They come beside a line that names the path, or say nothing of what was left out. */
const HARMLESS: readonly RegExp[] = [
  /^error: invalid path '/,
  /^error: open\("/,
  /^error: (?:short read|read error) while indexing /,
  /^error: unable to index file '.+\/'$/,
  /^warning: unable to access '/,
  /^warning: in the working copy of /,
  /^warning: (?:LF|CRLF) will be replaced by /,
  /^warning: adding embedded git repository: /,
  // Of a filter that is not required: git takes the file as it is.
  /^error: external filter '/,
  /^error: cannot (?:feed the input to|fork to run) external filter /,
  /^error: cannot run /,
]

/** A filter may write to the same place whatever it likes; what git itself says begins like this. */
const OF_GIT = /^(?:error|warning|fatal): |^Ignoring path /

export function readComplaints(stderr: string): Complaints {
  const incomplete: Unheld[] = []
  const retry: string[] = []
  for (const line of stderr.split('\n').filter((said) => OF_GIT.test(said))) {
    const path = firstGroup(LEFT_OUT, line)
    const again = firstGroup(WORTH_ANOTHER_LOOK, line)
    if (path !== null) incomplete.push({ path: shortenPath(path), why: explainComplaint(line) })
    else if (again !== null && !again.endsWith('/')) retry.push(again)
    else if (!HARMLESS.some((pattern) => pattern.test(line)))
      incomplete.push({ path: shortenPath(/'(.+)'/.exec(line)?.[1] ?? line), why: explainComplaint(line) })
  }
  return { incomplete, retry }
}

const firstGroup = (patterns: readonly RegExp[], line: string): string | null =>
  patterns.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined) ?? null

/** Characters of a path that are shown. */
const LONGEST = 200

export const shortenPath = (path: string): string =>
  path.length <= LONGEST ? path : `${path.slice(0, LONGEST)}…`

/** git ended: at which paths, as far as it says so, and whether it would end there again. */
export interface Fatal {
  readonly paths: readonly string[]
  readonly lasting: boolean
}

const FILTER_FAILED = /^fatal: (.+): clean filter '.*' failed$/
const ENCODING =
  /^fatal: (?:failed to encode|BOM is (?:required|prohibited) in) '(.+)' (?:from|if encoded as) \S+/
/** `fatal: unable to stat 'PATH': No such file or directory` and its kin. */
const PASSING = /^fatal: [^'\n]*'(.+)'(?::.*)?$/

export function readFatal(said: string): Fatal {
  const lines = said.split('\n').filter((line) => line.startsWith('fatal: '))
  const lasting = lines.flatMap((line) => (FILTER_FAILED.exec(line) ?? ENCODING.exec(line))?.[1] ?? [])
  if (lasting.length > 0) return { paths: lasting, lasting: true }
  const passing = lines.flatMap((line) => PASSING.exec(line)?.[1] ?? [])
  return { paths: passing, lasting: passing.length === 0 }
}

const REASONS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/clean filter '(.*)' failed/, (name) => `its filter ${name} failed`],
  [/the remote end hung up/, () => 'its filter ended before it had answered'],
  [/failed to encode '.*' from (\S+) to/, (encoding) => `it is not valid ${encoding}`],
  [
    /BOM is required in .* if encoded as (\S+)/,
    (encoding) => `it is no ${encoding}: it has no byte order mark`,
  ],
  [
    /BOM is prohibited in .* if encoded as (\S+)/,
    (encoding) => `it is no ${encoding}: it has a byte order mark`,
  ],
  [/(?:invalid path|Ignoring path|unable to add) /, () => 'git refuses its name'],
  [/does not have a commit/, () => 'it is a repository without a commit'],
  [/Permission denied/, () => 'it cannot be read'],
  [/File name too long/, () => 'its path is too long'],
]

/** Longer than any path that git can open: its message was cut off. */
const CUT_OFF = 4000

/** Why, in words for people, where git's own words are known; otherwise git's own. */
export function explainComplaint(said: string): string {
  for (const [pattern, words] of REASONS) {
    const found = pattern.exec(said)
    if (found !== null) return words(found[1] ?? '')
  }
  if (said.length > CUT_OFF) return 'its path is too long'
  const line = said.split('\n').find((one) => OF_GIT.test(one)) ?? said.split('\n')[0] ?? ''
  return line === '' ? 'git could not read it' : `git says: ${shortenPath(line)}`
}
