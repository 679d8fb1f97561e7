// The way in, without a host that boots meanwhile.

import { join } from 'node:path'
import { version } from '../../../../package.json'
import { loadProgram } from '../../../../src/core/process/load-program.ts'

const built = (name: string): string => join(import.meta.dirname, name)

const { runProgram } = loadProgram<typeof import('../../../../src/ui/program.ts')>({
  path: built('program.cjs'),
  kept: built('program.code'),
})
void runProgram(process.argv.slice(2), {
  ...{ version, program: import.meta.filename, hostEntry: built('host.js') },
  ...{ spawnerEntry: null, bootingHost: null },
})
