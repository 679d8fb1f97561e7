// Proves a box without an agent: on a sandbox of empty directories, which are deleted afterwards.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DIR_MODE } from '../../core/doors/system/files.ts'
import type { Environment } from '../../core/model/environment.ts'
import type { ProofLine } from '../../core/model/environment-catalog.ts'
import { type Box, type Machine, NO_NEEDS } from './box.ts'

export async function proveOnScratch(
  box: Box,
  environment: Environment,
  machine: Machine,
): Promise<readonly ProofLine[]> {
  const probes = join(machine.data_dir, 'probes')
  mkdirSync(probes, { recursive: true, mode: DIR_MODE })
  const scratch = mkdtempSync(join(probes, 'box-'))
  // The path of a socket has to be short.
  const sockets = mkdtempSync(join(tmpdir(), 'agency-probe-'))
  try {
    const [sandbox_path, own_repository, store] = ['tree', 'repo.git', 'store'].map((name) =>
      join(scratch, name),
    ) as [string, string, string]
    for (const path of [join(sandbox_path, '.agency'), join(own_repository, 'hooks'), store])
      mkdirSync(path, { recursive: true, mode: DIR_MODE })
    mkdirSync(join(own_repository, 'objects/info'), { recursive: true, mode: DIR_MODE })
    writeFileSync(join(own_repository, 'config'), '')
    writeFileSync(join(own_repository, 'objects/info/alternates'), `${store}\n`)
    const open = await box.open({
      ...machine,
      invocation_id: 'check',
      environment,
      sandbox_path,
      own_repository,
      object_stores: [store],
      prompt_path: join(scratch, 'prompt.md'),
      needs: NO_NEEDS,
      resumed_path: null,
      socket_path: join(sockets, 's'),
      onDenied: () => {},
      executable: '/bin/sh',
      planned: [],
    })
    try {
      return await open.prove()
    } finally {
      await open.close()
    }
  } finally {
    for (const path of [scratch, sockets]) rmSync(path, { recursive: true, force: true })
  }
}
