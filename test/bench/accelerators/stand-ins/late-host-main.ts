// The way in, without a host that boots meanwhile.

import { join } from 'node:path'
import { version } from '../../../../package.json'
import { loadProgram } from '../../../../src/core/process/load-program.ts'

const built = (name: string): string => join(import.meta.dirname, name)
const load = <Exports extends object>(name: string): Exports =>
  loadProgram({ path: built(`${name}.cjs`), kept: built(`${name}.code`) })

const argv = process.argv.slice(2)
const common = { version, program: import.meta.filename, hostEntry: built('host.js') }
if (argv[0] === 'agent' && argv[1] === 'start') {
  void load<typeof import('./late-host-start-program.ts')>('start').runStart(argv, common)
} else {
  void load<typeof import('../../../../src/ui/program.ts')>('program').runProgram(argv, {
    ...common,
    spawnerEntry: null,
  })
}
