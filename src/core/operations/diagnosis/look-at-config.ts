// Agents share the repository's `.git/config` and hooks. Our own git never reads them, but the person's own git does.

import type { RepoRecord } from '../../model/repo.ts'
import { repoRecordSchema } from '../../model/repo.ts'
import { writeRecord } from '../../store/record-file.ts'
import { type Repository, readLocalConfig } from '../../store/repository.ts'
import { type Check, fine, problem } from './check.ts'

/** Settings that make git run a program. */
const EXECUTABLE =
  /^(core\.(fsmonitor|hookspath|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?program|credential\.(.*\.)?helper|alias\..*|include\.path|includeif\..*|remote\..*\.(uploadpack|receivepack|vcs)|sequence\.editor|(merge|diff)tool\..*\.cmd|trailer\..*\.(command|cmd))$/i

export async function lookAtConfig(repository: Repository): Promise<readonly Check[]> {
  const gained = gainedSettings(
    repository.record.trusted_config,
    await readLocalConfig(repository.effects.spawner, repository.git.commonDir),
  )
  if (gained.length === 0)
    return [fine('git configuration', 'nothing in it runs a program that was not there before')]
  return gained.map(([key, value]) =>
    problem(
      'git configuration',
      `${key} = ${value ?? ''} was added after agency first saw the repository; your own git runs it, agency does not`,
      `if it is not yours: git config --unset-all ${key}; if it is: agency doctor --trust-config`,
    ),
  )
}

/** Settings that run a program and that the person did not have when the repository was first used. */
export function gainedSettings(
  trusted: RepoRecord['trusted_config'],
  now: RepoRecord['trusted_config'],
): RepoRecord['trusted_config'] {
  const known = new Set(trusted.map(([key, value]) => `${key}\n${value ?? ''}`))
  return now.filter(([key, value]) => EXECUTABLE.test(key) && !known.has(`${key}\n${value ?? ''}`))
}

/** Takes the present configuration for the person's own. The clean room is made anew from it when it is next opened. */
export async function trustConfig({ record, paths, git, effects }: Repository): Promise<string> {
  const trusted = await readLocalConfig(effects.spawner, git.commonDir)
  await writeRecord(paths.record, repoRecordSchema, { ...record, trusted_config: trusted })
  return `took the repository's ${trusted.length} settings as your own`
}
