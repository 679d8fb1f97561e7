// The input of `git fast-import` for one commit on top of another; see git-fast-import(1). Pure.

import { AGENCY_IDENTITY } from './identity.ts'
import type { ObjectId } from './ids.ts'
import { quotePath } from './quote-path.ts'
import { showRaw } from './raw-bytes.ts'
import type { RawChange } from './raw-diff.ts'

export interface ImportedFile {
  /** As text, as in the work tree. */
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly content: Buffer
}

export interface ImportedCommit {
  readonly ref: string
  /** The tree of the first parent is the one that is changed. */
  readonly parents: readonly [ObjectId, ...ObjectId[]]
  readonly message: string
  readonly at: Date
  /** Files and whole directories. They need not exist. */
  readonly deleted: readonly string[]
  readonly files: readonly ImportedFile[]
}

const ASK = '\nget-mark :1\nls :1 ""\ndone\n'

/**
 * Without `feature done`, because questions may have come before. git answers with the commit, then with `040000 tree
 * OBJECT`, one line each.
 */
export function formatImport({ ref, parents, message, at, deleted, files }: ImportedCommit): Buffer {
  const [from, ...merged] = parents
  const text = Buffer.from(message)
  const seconds = Math.floor(at.getTime() / 1000)
  const { name, email } = AGENCY_IDENTITY
  return Buffer.concat([
    Buffer.from(`commit ${ref}\nmark :1\ncommitter ${name} <${email}> ${seconds} +0000\n`),
    data(text),
    Buffer.from(`from ${from}\n${merged.map((parent) => `merge ${parent}\n`).join('')}`),
    formatChanges(deleted, files),
    Buffer.from(ASK),
  ])
}

/** Asks what a tree has at a path. git answers `MODE TYPE OBJECT` and the path, or `missing` and the path. */
export const formatLook = (tree: ObjectId, path: string): string => `ls ${tree} ${quotePath(path)}`

export interface ImportedTree extends Pick<ImportedCommit, 'ref' | 'deleted' | 'files'> {
  /** The tree to change. */
  readonly tree: ObjectId
}

/** git answers with `040000 tree OBJECT`. No ref is made: the stream drops the commit on it again. */
export function formatTreeImport({ ref, tree, deleted, files }: ImportedTree): Buffer {
  const { name, email } = AGENCY_IDENTITY
  return Buffer.concat([
    Buffer.from(`feature done\ncommit ${ref}\nmark :1\ncommitter ${name} <${email}> 0 +0000\n`),
    data(Buffer.alloc(0)),
    Buffer.from(`M 040000 ${tree} ""\n`),
    formatChanges(deleted, files),
    Buffer.from(`\nls :1 ""\nreset ${ref}\n\ndone\n`),
  ])
}

export interface ImportedEdits {
  readonly ref: string
  /** The tree that the first step changes. */
  readonly tree: ObjectId
  /** Each step builds on the one before. Raw paths of UTF-8 text. */
  readonly steps: readonly (readonly Pick<RawChange, 'path' | 'new_mode' | 'new_object'>[])[]
}

/** git answers each step with `040000 tree OBJECT`. No ref is made, as above. */
export function formatEdits({ ref, tree, steps }: ImportedEdits): Buffer {
  const { name, email } = AGENCY_IDENTITY
  const parts = steps.map((step, at) => {
    const edits = step.map(
      (edit) => `M ${edit.new_mode} ${edit.new_object} ${quotePath(showRaw(edit.path))}\n`,
    )
    const base = at === 0 ? `M 040000 ${tree} ""\n` : ''
    const commit = `commit ${ref}\nmark :${at + 1}\ncommitter ${name} <${email}> 0 +0000\ndata 0\n\n`
    return `${commit}${base}${edits.join('')}\nls :${at + 1} ""\n`
  })
  return Buffer.from(`feature done\n${parts.join('')}reset ${ref}\n\ndone\n`)
}

const formatChanges = (deleted: readonly string[], files: readonly ImportedFile[]): Buffer =>
  Buffer.concat([
    Buffer.from(deleted.map((path) => `D ${quotePath(path)}\n`).join('')),
    ...files.flatMap(({ path, mode, content }) => [
      Buffer.from(`M ${mode} inline ${quotePath(path)}\n`),
      data(content),
    ]),
  ])

const NEWLINE = Buffer.of(0x0a)

const data = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`data ${content.length}\n`), content, NEWLINE])

/** All other bytes stand for themselves. */
