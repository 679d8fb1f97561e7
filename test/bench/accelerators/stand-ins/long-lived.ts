// Lets the dashboard start all processes itself.

import { spawnHere } from '../../../../src/core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../../../../src/core/doors/spawner/spawner.ts'

export const longLivedSpawner = (): Spawner => spawnHere
