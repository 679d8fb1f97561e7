// A move between two trees as the shortest patch that `git apply` takes: each file named by the object that it was and the
// one that it becomes, without a line of either. Pure. Source: git-apply(1); git-diff(1), "extended header lines".

import type { RawChange } from './raw-diff.ts'

/** Beyond it nobody waits for the index, but for the files. */
const MOST_FILES = 500
const PLAIN_MODES: readonly string[] = ['100644', '100755', '120000']

/**
 * Whether a patch can say it, with the outcome of a check-out: no nested repositories, nothing that turns from a file
 * into something else, and no attributes, by which the other files would be written.
 */
export function fitsPatch(changes: readonly RawChange[]): boolean {
  const paths = new Set(changes.map(({ path }) => path))
  return (
    changes.length <= MOST_FILES &&
    changes.every((change) => isPlainChange(change) && !liesBelow(change, paths))
  )
}

function isPlainChange(change: RawChange): boolean {
  const modes = sidesOf(change).map(({ mode }) => mode)
  const attributes = /(^|\/)\.gitattributes$/.test(change.path)
  return change.kind !== 'type_changed' && !attributes && modes.every((mode) => PLAIN_MODES.includes(mode))
}

/** Of a path that is a file too, before or after. */
const liesBelow = ({ path }: RawChange, paths: ReadonlySet<string>): boolean =>
  [...path].some((character, at) => character === '/' && paths.has(path.slice(0, at)))

/** The objects that it takes to apply it. */
export const objectsOf = (changes: readonly RawChange[]): string[] =>
  changes.flatMap((change) => sidesOf(change).map(({ object }) => object))

function sidesOf(change: RawChange): { readonly mode: string; readonly object: string }[] {
  const before = { mode: change.old_mode, object: change.old_object }
  const after = { mode: change.new_mode, object: change.new_object }
  return [...(change.kind === 'added' ? [] : [before]), ...(change.kind === 'deleted' ? [] : [after])]
}

export const formatTreePatch = (changes: readonly RawChange[]): string =>
  changes.map(formatTreeChange).join('')

function formatTreeChange(change: RawChange): string {
  const { path, old_object, new_object } = change
  const head = `diff --git ${quotePatchPath(`a/${path}`)} ${quotePatchPath(`b/${path}`)}\n${formatModes(change)}`
  if (old_object === new_object) return head
  return `${head}index ${old_object}..${new_object}\nBinary files differ\n`
}

function formatModes({ kind, old_mode, new_mode }: RawChange): string {
  switch (kind) {
    case 'added':
      return `new file mode ${new_mode}\n`
    case 'deleted':
      return `deleted file mode ${old_mode}\n`
    case 'modified':
    case 'type_changed':
    case 'renamed':
    case 'copied':
      return old_mode === new_mode ? '' : `old mode ${old_mode}\nnew mode ${new_mode}\n`
  }
}

/** As git quotes names; a raw path has one character for each byte. */
const quotePatchPath = (raw: string): string => `"${raw.replace(/[^ !#-[\]-~]/g, escapeByte)}"`

const escapeByte = (byte: string): string => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
