// One `git fast-import` for the whole of a checkpoint by paths: asked first what the state before it held, then told what
// has changed. Starting a git costs more than what it does for one file, and the more so the larger the process that starts it.

import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import { formatImport, formatLook, type ImportedCommit } from '../../model/import-stream.ts'
import type { Conversation, Git } from '../effects.ts'

/** As git writes loose objects everywhere. Otherwise it would wait for the disk with a pack that it deletes at once. */
export const LOOSE = ['-c', 'fastimport.unpackLimit=10000', '-c', 'core.fsync=-loose-object,-pack,reference']

export interface Imported {
  readonly commit: ObjectId
  readonly tree: ObjectId
}

export interface Importer {
  /** `mode object` by path, of those that a tree has: files and directories. */
  list(tree: ObjectId, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Its last deed. null where git could not, for one because the ref is there: then no ref was made. */
  commit(commit: ImportedCommit): Promise<Imported | null>
}

/** Runs `work` with an importer that is started when it is first asked, and has ended when this resolves. */
export async function withImporter<T>(store: Git, work: (importer: Importer) => Promise<T>): Promise<T> {
  let opened: Conversation | null = null
  // Its answers are lines: a name must not break one.
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
        return exitCode === 0 ? readAnswer(stdout) : null
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

/** The last two lines of all that it has said. */
function readAnswer(output: Buffer): Imported {
  const [commit = '', tree = ''] = output.toString('latin1').trimEnd().split('\n').slice(-2)
  return { commit: parseObjectId(commit), tree: parseObjectId(tree.split(/[ \t]/)[2] ?? '') }
}
