// Where the host's process begins: it loads the host's program from its kept code.

import { join } from 'node:path'
import { loadProgram } from '../../core/v8/load-program.ts'

const here = import.meta.dirname
const { runHost } = loadProgram<typeof import('./run-host.ts')>({
  path: join(here, 'host.cjs'),
  kept: join(here, 'host.code'),
})
void runHost()
