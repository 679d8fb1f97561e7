// A scene with the facade in front of it: all that a person or a script can do.

import type { Effects } from '../../../src/core/doors/effects.ts'
import type { Agency } from '../../../src/core/facade/agency.ts'
import { createAgency } from '../../../src/core/facade/create-agency.ts'
import type { Checkpoint } from '../../../src/core/model/checkpoint.ts'
import { CONFIG_DEFAULTS } from '../../../src/core/model/config.ts'
import { makeScene, type Scene } from './sandbox.ts'

export interface FacadeScene extends Scene {
  readonly agency: Agency
  readonly id: string
  take(): Promise<Checkpoint>
  restore(checkpoint: Checkpoint): Promise<unknown>
}

export async function makeFacadeScene(
  files?: Readonly<Record<string, string>>,
  change: Partial<Effects> = {},
): Promise<FacadeScene> {
  const scene = await makeScene(files)
  const effects = { ...scene.repository.effects, ...change }
  const agency = await createAgency({ cwd: scene.root, effects, configOf: () => CONFIG_DEFAULTS })
  const id = scene.record.invocation_id
  return {
    ...scene,
    agency,
    id,
    take: async () => (await agency.createCheckpoint(id)).checkpoint,
    restore: (checkpoint) => agency.restoreCheckpoint(id, checkpoint.id),
  }
}
