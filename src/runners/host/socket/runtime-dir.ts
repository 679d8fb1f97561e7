// Where hosts listen: a directory that only its owner can enter, with a path that is short enough for a socket's
// address.

import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DIR_MODE } from '../../../core/doors/system/files.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { hostSocketName } from '../../../core/model/invocation.ts'

/** Length of a socket's address without its closing NUL, on the systems that allow the least. */
const LONGEST_ADDRESS = 103

/** Makes the directory if it is missing. Throws E_HOST_FAILED if it belongs to somebody else. */
export function socketPath(env: NodeJS.ProcessEnv, repoId: string, invocationId: string): string {
  const name = hostSocketName(repoId, invocationId)
  const inSession = join(env['XDG_RUNTIME_DIR'] ?? '', 'agency')
  const inTemp = join(tmpdir(), `agency-${userInfo().uid}`)
  const fits = Buffer.byteLength(join(inSession, name)) <= LONGEST_ADDRESS
  const dir = env['XDG_RUNTIME_DIR'] && existsSync(env['XDG_RUNTIME_DIR']) && fits ? inSession : inTemp
  makePrivate(dir)
  return join(dir, name)
}

/** Refuses a directory that somebody else made there first: they could pass their socket off as ours. */
function makePrivate(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: DIR_MODE })
  const found = lstatSync(dir)
  if (!found.isDirectory() || found.uid !== userInfo().uid) {
    throw new AgencyError('E_HOST_FAILED', `${dir} should be a directory of your own, and is not`, {
      hint: 'remove it, or set XDG_RUNTIME_DIR to a directory of your own',
    })
  }
  if ((found.mode & 0o077) !== 0) chmodSync(dir, DIR_MODE)
}
