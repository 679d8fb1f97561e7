// What git knows of a tree's files from outside of the repository: the person's own rules of what is ignored, and attributes
// for all trees. With them in hand git need not be asked about a file for which there are no rules at all.

import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Git } from '../../../doors/effects.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'

export interface OuterRules {
  /** By one of these what is ignored may change. */
  readonly ignoring: readonly string[]
  /** As long as none of these is there, attributes are given in the tree alone. null: who gives them is not known. */
  readonly attributing: readonly string[] | null
}

/** `tree`: its path, where `git` is at work. */
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

/** Beside the machine's configuration, of which git says only to an editor where it is. */
async function findSystemRules(git: Git): Promise<string | null> {
  const options = { env: { GIT_EDITOR: 'echo' }, answers: [1, 128, 129] }
  const said = await git.text(['config', '--system', '--edit'], options)
  return isAbsolute(said) && !said.includes('\n') ? join(dirname(said), 'gitattributes') : null
}

/** Of these paths of a tree: those for which some rule may give an attribute. */
export function selectRuled(
  tree: string,
  paths: readonly string[],
  { attributing }: Pick<OuterRules, 'attributing'>,
): readonly string[] {
  if (attributing === null || attributing.some(isThere)) return paths
  const seen = new Map<string, boolean>()
  const isRuled = (directory: string): boolean => {
    const ruled =
      seen.get(directory) ??
      (isThere(`${tree}/${directory}/.gitattributes`) || (directory !== '.' && isRuled(dirname(directory))))
    seen.set(directory, ruled)
    return ruled
  }
  return paths.filter((path) => isRuled(dirname(path)))
}

/** What cannot be looked at may be there. */
function isThere(path: string): boolean {
  try {
    return lstatIfThere(path) !== null
  } catch {
    return true
  }
}
