// The repositories of a tree's submodules lie in its git directory, and each submodule's `.git` says where. git may have
// given that directory another name when the tree came back, so those files are written anew. Nothing is written through
// a link, or where no such file lies already.

import { readdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { lstatIfThere, readTextIfThere, writeDraft } from '../../../doors/system/files.ts'
import { isWithin } from '../../../model/path-safety.ts'
import { isRealDirectory } from '../../presence.ts'

export function relinkSubmodules(treePath: string, gitDir: string): void {
  for (const module of listModules(join(gitDir, 'modules'))) {
    const sub = workTreeOf(join(gitDir, 'modules', module))
    if (sub !== null && isWithin(sub, treePath) && isRealDirectory(sub)) relink(sub, { gitDir, module })
  }
}

/** Deeper ones are none of git's making. */
const DEEPEST = 16

/** Repositories below a directory `modules`, by their path from there: `lib/a`, and `lib/a/modules/b` for one in it. */
function listModules(root: string, below = '', depth = 0): string[] {
  if (depth > DEEPEST) return []
  return directoriesIn(join(root, below)).flatMap((name) => {
    const path = join(below, name)
    if (readSmall(join(root, path, 'HEAD')) === null) return listModules(root, path, depth + 1)
    return [path, ...listModules(root, join(path, 'modules'), depth + 1)]
  })
}

function directoriesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}

/** Where git checks a submodule out: it notes that in the submodule's settings. */
function workTreeOf(module: string): string | null {
  const said = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(readSmall(join(module, 'config')) ?? '')?.[1]
  return said === undefined ? null : resolve(module, said)
}

/** The worktree's own name is the only part that may differ. */
function relink(sub: string, { gitDir, module }: { gitDir: string; module: string }): void {
  const link = join(sub, '.git')
  const said = /^gitdir: (.+)\n?$/.exec(readSmall(link) ?? '')?.[1]
  if (said === undefined) return
  const before = resolve(sub, said)
  const after = join(gitDir, 'modules', module)
  const wasThere = before.slice(0, -join('modules', module).length - 1)
  if (before === after || join(wasThere, 'modules', module) !== before) return
  if (dirname(wasThere) !== dirname(gitDir) || basename(wasThere) === '') return
  writeDraft(link, `gitdir: ${isAbsolute(said) ? after : relative(sub, after)}\n`)
}

/** Bytes. git's own are much smaller. */
const LARGEST = 1 << 20

/** null for anything but a small file. */
function readSmall(path: string): string | null {
  const there = lstatIfThere(path)
  return there?.isFile() === true && there.size <= LARGEST ? readTextIfThere(path) : null
}
