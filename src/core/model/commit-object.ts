// Commits as git stores them, byte for byte (one character per byte, see raw-bytes.ts). A landing writes them anew with
// another parent, and neither a date nor a message in an old encoding may change on the way.

import { type ObjectId, parseObjectId } from './ids.ts'

export interface CommitObject {
  readonly tree: ObjectId
  readonly parents: readonly ObjectId[]
  /** `Name <mail> seconds zone`, raw. */
  readonly author: string
  /** The encoding of the message, if it is not UTF-8. */
  readonly encoding: string | null
  /** Raw. */
  readonly message: string
}

/** Reads commits from the output of `git cat-file --batch`. Throws on anything else. */
export function parseCommitBatch(output: Buffer): ReadonlyMap<ObjectId, CommitObject> {
  const commits = new Map<ObjectId, CommitObject>()
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at)
    const [id = '', kind, size] = output.toString('latin1', at, end).split(' ')
    if (kind !== 'commit' || size === undefined) throw new Error(`${id} is no commit here`)
    const begin = end + 1
    const after = begin + Number.parseInt(size, 10)
    commits.set(parseObjectId(id), parseCommit(output.toString('latin1', begin, after)))
    at = after + 1
  }
  return commits
}

export function parseCommit(raw: string): CommitObject {
  const end = raw.indexOf('\n\n')
  const headers = (end < 0 ? raw : raw.slice(0, end)).split('\n')
  const all = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  return {
    tree: parseObjectId(all('tree')[0] ?? ''),
    parents: all('parent').map(parseObjectId),
    author: all('author')[0] ?? '',
    encoding: all('encoding')[0] ?? null,
    message: end < 0 ? '' : raw.slice(end + 2),
  }
}

/** Leaves out signatures and merge tags, because they vouch for other bytes. */
export function formatCommit(commit: CommitObject, committer: string): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${commit.author}`,
    `committer ${committer}`,
    ...(commit.encoding === null ? [] : [`encoding ${commit.encoding}`]),
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${commit.message}`, 'latin1')
}

/** `Name <mail> seconds zone`. Leaves out characters that would break this form, as git does. */
export function formatIdent(person: { name: string; email: string }, at: Date): string {
  const clean = (text: string): string => text.replace(/[<>\n\0]/g, '').trim()
  const minutes = -at.getTimezoneOffset()
  const zone = Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)
  const sign = minutes < 0 ? '-' : '+'
  const text = `${clean(person.name)} <${clean(person.email)}>`
  const seconds = Math.floor(at.getTime() / 1000)
  return `${Buffer.from(text, 'utf8').toString('latin1')} ${seconds} ${sign}${String(zone).padStart(4, '0')}`
}
