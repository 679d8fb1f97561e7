// A move between two trees as the shortest patch that `git apply` takes: for each file the old and the new object's
// name, and no lines at all. See git-apply(1), and "extended header lines" in git-diff(1). Pure.

import type { RawChange } from './raw-diff.ts'

/** With more files, the time goes into writing them, and a smaller index saves nothing. */
const MOST_FILES = 500
const PLAIN_MODES: readonly string[] = ['100644', '100755', '120000']

/**
 * Whether a patch can do it with the same result as a checkout: no nested repositories, nothing that turns from a file
 * into something else, and no attributes, because these would change how other files are written.
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

/** Whether it lies below a path that is a file too, before or after. */
const liesBelow = ({ path }: RawChange, paths: ReadonlySet<string>): boolean =>
  [...path].some((character, at) => character === '/' && paths.has(path.slice(0, at)))

/** The objects that `git apply` needs. */
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

/** Quotes a name as git does. A raw path has one character per byte. */
const quotePatchPath = (raw: string): string => `"${raw.replace(/[^ !#-[\]-~]/g, escapeByte)}"`

const escapeByte = (byte: string): string => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
