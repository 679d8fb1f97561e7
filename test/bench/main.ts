// `npm run bench [NAME...]`: measures what the README claims, against public tools, and prints the ratios of this run.

import { benchCaptures, benchKeptLook } from './accelerators/captures.ts'
import { benchKeysBesideEditing } from './accelerators/echoes.ts'
import { benchSpawning } from './accelerators/spawning.ts'
import { benchHalves, benchStarts } from './accelerators/starts.ts'
import { type BenchRow, formatRow } from './bench.ts'
import { benchCheckpoint } from './checkpoint.ts'
import { benchCheckpointHost } from './checkpoint-host.ts'
import { benchDelete } from './delete.ts'
import { benchEcho } from './echo.ts'
import { benchFirstFrame } from './first-frame.ts'
import { benchFrames } from './frames.ts'
import { benchHosts } from './hosts.ts'
import { benchIdle, OBSERVE_ALONE } from './idle.ts'
import { benchLand } from './land.ts'
import { benchList } from './list.ts'
import { benchMemory } from './memory.ts'
import { observeAlone } from './observe-alone.ts'
import { benchStart } from './start.ts'
import { benchStream } from './stream.ts'

const BENCHES: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  hosts: benchHosts,
  ls: benchList,
  start: benchStart,
  delete: benchDelete,
  land: benchLand,
  checkpoint: benchCheckpoint,
  'checkpoint-host': benchCheckpointHost,
  idle: benchIdle,
  'first-frame': benchFirstFrame,
  echo: benchEcho,
  stream: benchStream,
  frames: benchFrames,
  memory: benchMemory,
}

/** Each with the accelerator and without it, only if it is asked for by name. `accelerators` means all of them. */
const ACCELERATORS: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  'accelerators/starts': benchStarts,
  'accelerators/halves': benchHalves,
  'accelerators/kept-look': benchKeptLook,
  'accelerators/captures': benchCaptures,
  'accelerators/spawning': benchSpawning,
  'accelerators/keys-beside-editing': benchKeysBesideEditing,
}

/** These settings of the machine make each node begin more slowly, which says nothing about what is measured. */
for (const setting of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS']) delete process.env[setting]

if (process.argv[2] === OBSERVE_ALONE) {
  console.log(JSON.stringify(await observeAlone(JSON.parse(process.argv[3] ?? ''))))
  process.exit(0)
}

const asked = process.argv.slice(2)
const wanted = asked.flatMap((name) => (name === 'accelerators' ? Object.keys(ACCELERATORS) : name))
const all = { ...BENCHES, ...ACCELERATORS }
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  const names = ['accelerators', ...Object.keys(all)].join(', ')
  console.error(`no bench called ${unknown.join(', ')}; there are: ${names}`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(wanted.length > 0 ? all : BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.error(`measuring ${name} …`)
  for (const row of await bench()) console.log(formatRow(row))
}
