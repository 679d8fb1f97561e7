// One `git fast-import` for a whole checkpoint by paths: first it is asked what the earlier state holds, then it is
// told what has changed. Starting a git costs more than its work on one file, and the larger our process is, the more
// it costs.

import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { formatImport, formatLook, type ImportedCommit } from '../../model/import-stream.ts'
import type { Conversation, Git } from '../effects.ts'

/**
 * Writes loose objects, as git does everywhere else. By default it would wait for the disk with a pack that it then
 * deletes.
 */
export const LOOSE = ['-c', 'fastimport.unpackLimit=10000', '-c', 'core.fsync=-loose-object,-pack,reference']

export interface Imported {
  readonly commit: ObjectId
  readonly tree: ObjectId
}

export interface Importer {
  /** `mode object` by path, for those paths (files and directories) that the tree has. */
  list(tree: ObjectId, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Ends the importer. Returns null if git failed, for example because the ref exists; then no ref was made. */
  commit(commit: ImportedCommit): Promise<Imported | null>
}

/** Runs `work` with an importer, which is started at the first question and has ended when this resolves. */
export async function withImporter<T>(store: Git, work: (importer: Importer) => Promise<T>): Promise<T> {
  let opened: Conversation | null = null
  // Its answers are lines, so it has to quote a name with a line break in it.
  const args = [...LOOSE, '-c', 'core.quotePath=true', 'fast-import', '--quiet', '--done', '--depth=0']
  const open = async (): Promise<Conversation> => {
    opened ??= await store.converse(args)
    return opened
  }
  try {
    return await work({
      list: async (tree, paths) => (paths.length === 0 ? new Map() : list(await open(), tree, paths)),
      commit: async (commit) => {
        const importing = opened ?? (await open())
        opened = null
        const { exitCode, stdout } = await importing.finish(formatImport(commit), { answers: [1, 128] })
        return exitCode === 0 ? readImportAnswer(stdout) : null
      },
    })
  } finally {
    await (opened as Conversation | null)?.finish('done\n', { answers: [1, 128] })
  }
}

async function list(
  importing: Conversation,
  tree: ObjectId,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const answers = await Promise.all(paths.map((path) => importing.ask(formatLook(tree, path))))
  const known = new Map<string, string>()
  for (const [at, path] of paths.entries()) {
    const [mode = '', , object = ''] = answers[at]?.split(/[ \t]/) ?? []
    if (mode !== 'missing') known.set(path, `${mode} ${object}`)
  }
  return known
}

/** Reads the last two lines of its output. */
function readImportAnswer(output: Buffer): Imported {
  const [commit = '', tree = ''] = output.toString('latin1').trimEnd().split('\n').slice(-2)
  return { commit: parseObjectId(commit), tree: parseObjectId(tree.split(/[ \t]/)[2] ?? '') }
}
