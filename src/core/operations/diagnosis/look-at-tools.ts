// Looks at what everything else needs: git, Node, the data directory and the runners.

import { freeSpace, isWritableDirectory } from '../../doors/system/disk.ts'
import type { Repository } from '../../store/repository.ts'
import { type Check, fine, note, problem } from './check.ts'

const OLDEST_GIT = [2, 39] as const
const LITTLE_SPACE = 1024 ** 3

export async function lookAtTools(repository: Repository): Promise<readonly Check[]> {
  const runners = await Promise.all(
    repository.effects.runners.names.map((name) => lookAtRunner(repository, name)),
  )
  return [await lookAtGit(repository), lookAtDataDir(repository.effects.dataDir), ...runners]
}

async function lookAtGit({ git }: Repository): Promise<Check> {
  const version = (await git.store.text(['version'])).replace(/^git version /, '')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const old = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1])
  return old
    ? problem('git', `version ${version} is too old`, 'install git 2.39 or later')
    : fine('git', version)
}

function lookAtDataDir(dataDir: string): Check {
  if (!isWritableDirectory(dataDir)) {
    return problem(
      'data directory',
      `${dataDir} cannot be written`,
      'check its owner and mode, or set AGENCY_DATA_DIR',
    )
  }
  const free = freeSpace(dataDir)
  if (free < LITTLE_SPACE) {
    return note('data directory', `${dataDir} has ${Math.floor(free / 1024 ** 2)} MiB free`, 'agency gc')
  }
  return fine('data directory', dataDir)
}

async function lookAtRunner({ effects }: Repository, name: string): Promise<Check> {
  const found = await effects.runners.get(name).probe(effects.env)
  if (found.state === 'unavailable') return note(`runner ${name}`, found.message, found.hint)
  return fine(
    `runner ${name}`,
    found.version === null ? found.executable : `${found.version}, ${found.executable}`,
  )
}
