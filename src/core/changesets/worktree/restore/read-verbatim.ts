// What a kept state holds beside its tree.

import type { Git } from '../../../doors/effects.ts'
import type { KeptState } from '../../../model/kept-state.ts'
import { rawFields } from '../../../model/raw-bytes.ts'
import { type Modes, parseModes, VERBATIM_FILES, VERBATIM_MODES } from '../../../model/verbatim.ts'

export interface VerbatimFile {
  /** Raw. */
  readonly path: string
  readonly object: string
  /** In bytes. */
  readonly size: number
}

export interface VerbatimParts {
  readonly files: readonly VerbatimFile[]
  readonly modes: Modes
}

const NOTHING: VerbatimParts = { files: [], modes: new Map() }

export async function readVerbatim(store: Git, { verbatim_tree }: KeptState): Promise<VerbatimParts> {
  if (verbatim_tree === undefined) return NOTHING
  const [listed, modes] = await Promise.all([
    store.run(['ls-tree', '-r', '-l', '-z', '--full-tree', verbatim_tree]),
    store.run(['cat-file', 'blob', `${verbatim_tree}:${VERBATIM_MODES}`]),
  ])
  const files = rawFields(listed.stdout).flatMap((line) => {
    const [, , object = '', size = ''] = line.slice(0, line.indexOf('\t')).split(/ +/)
    const path = line.slice(line.indexOf('\t') + 1)
    const inside = path.startsWith(`${VERBATIM_FILES}/`) ? path.slice(VERBATIM_FILES.length + 1) : null
    return inside === null ? [] : [{ path: inside, object, size: Number(size) }]
  })
  return { files, modes: parseModes(modes.stdout) }
}

export const pathsOf = ({ files, modes }: VerbatimParts): string[] => [
  ...new Set([...files.map(({ path }) => path), ...modes.keys()]),
]
