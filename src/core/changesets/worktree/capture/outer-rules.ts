// The rules about a tree's files that lie outside of the tree: the person's own ignore rules, and attributes for all
// trees. Knowing where they are, we need not ask git about a file that no rule can apply to.

import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'

export interface OuterRules {
  /** If one of these files changes, what git ignores may change. */
  readonly ignoring: readonly string[]
  /**
   * As long as none of these files exists, only files in the tree give attributes. null: nobody can say which files do.
   */
  readonly attributing: readonly string[] | null
}

/** `tree` is the path at which `git` works. */
export async function findOuterRules(git: Git, tree: string, commonDir: string): Promise<OuterRules> {
  const [named, system] = await Promise.all([readNamed(git), findSystemRules(git)])
  const filesOf = (key: string): string[] =>
    named.filter(([name]) => name === key).map(([, value]) => resolve(tree, value))
  const { HOME: home = homedir(), XDG_CONFIG_HOME: config = join(home, '.config') } = process.env
  const inHome = (name: string): string => join(config, 'git', name)
  const elsewhere = named.some(([name]) => name === 'attr.tree')
  return {
    ignoring: [join(home, '.gitconfig'), inHome('config'), inHome('ignore'), ...filesOf('core.excludesfile')],
    attributing:
      system === null || elsewhere
        ? null
        : [
            system,
            inHome('attributes'),
            join(commonDir, 'info', 'attributes'),
            ...filesOf('core.attributesfile'),
          ],
  }
}

async function readNamed(git: Git): Promise<[name: string, value: string][]> {
  const keys = '^(core\\.(excludesfile|attributesfile)|attr\\.tree)$'
  const args = ['config', '-z', '--type=path', '--get-regexp', keys]
  const entries = await git.fields(args, { answers: [1] })
  return entries.map((entry) => {
    const end = entry.indexOf('\n')
    return end < 0 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)]
  })
}

/** The file beside the machine's configuration. git tells the place of that configuration to an editor only. */
async function findSystemRules(git: Git): Promise<string | null> {
  const options = { env: { GIT_EDITOR: 'echo' }, answers: [1, 128, 129] }
  const said = await git.text(['config', '--system', '--edit'], options)
  return isAbsolute(said) && !said.includes('\n') ? join(dirname(said), 'gitattributes') : null
}

/** Which of these paths may get an attribute by some rule. */
export function selectRuled(
  tree: string,
  paths: readonly string[],
  { attributing }: Pick<OuterRules, 'attributing'>,
): readonly string[] {
  if (attributing === null || attributing.some(mayBeThere)) return paths
  const seen = new Map<string, boolean>()
  const isRuled = (directory: string): boolean => {
    const ruled =
      seen.get(directory) ??
      (mayBeThere(`${tree}/${directory}/.gitattributes`) ||
        (directory !== '.' && isRuled(dirname(directory))))
    seen.set(directory, ruled)
    return ruled
  }
  return paths.filter((path) => isRuled(dirname(path)))
}

/** If it cannot be looked at, it may be there. */
function mayBeThere(path: string): boolean {
  try {
    return lstatIfThere(path) !== null
  } catch {
    return true
  }
}
