// Before a runner starts in a box, a probe runs in its place and tries to break out. What must fail has to fail, and what
// must work has to work; whatever did neither counts as not held.

import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exec } from '../../core/doors/spawner/exec.ts'
import { DIR_MODE, FILE_MODE, readTextIfRegular } from '../../core/doors/system/files.ts'
import type { ProofLine } from '../../core/model/environment-catalog.ts'
import type { BoxPlace } from './box.ts'
import { planAttempts, probeScript, readResults } from './probe-script.ts'
import { runOnce } from './run-once.ts'
import { RELAY_PORT } from './way-out.ts'

export async function proveBox(place: BoxPlace, wrap: (plan: Exec) => Exec): Promise<readonly ProofLine[]> {
  const canaries = layCanaries(place)
  const listener = place.environment.outputs === 'open' ? null : await listen()
  try {
    const attempts = planAttempts({
      tree: place.sandbox_path,
      own_repository: place.own_repository,
      object_stores: place.object_stores,
      canaries: canaries.paths,
      pid: process.pid,
      port: listener?.port ?? null,
      relay: place.environment.outputs === 'restricted' ? RELAY_PORT : null,
    })
    const env = { PATH: place.env['PATH'] ?? '/usr/bin:/bin' }
    const exec = wrap({ argv: ['/bin/sh', '-c', probeScript(attempts)], cwd: '/', env })
    const { out } = await runOnce(exec.argv, exec.env)
    const results = readResults(out, attempts)
    const lines = attempts.map(({ name, must }, at): ProofLine => {
      const worked = results[at] ?? null
      return { attempt: name, must, held: worked !== null && worked === (must === 'work') }
    })
    return [
      ...lines,
      { attempt: 'change what lies outside', must: 'fail', held: canaries.areWhole() },
      ...(listener === null
        ? []
        : [{ attempt: 'be heard outside', must: 'fail' as const, held: listener.heard() === 0 }]),
    ]
  } finally {
    listener?.close()
    canaries.remove()
  }
}

/** One in each place that a box has to hide: what we keep, and where all users' programs leave things. */
function layCanaries({ data_dir, invocation_id }: BoxPlace) {
  const name = `probe-${invocation_id}-${randomBytes(4).toString('hex')}`
  const paths = [join(data_dir, 'probes', name), join(tmpdir(), name)]
  const secret = randomBytes(16).toString('hex')
  mkdirSync(join(data_dir, 'probes'), { recursive: true, mode: DIR_MODE })
  for (const path of paths) writeFileSync(path, secret, { mode: FILE_MODE, flag: 'wx' })
  return {
    paths,
    areWhole: () =>
      paths.every((path) => readTextIfRegular(path, { most: 1024, links: 'refused' }) === secret),
    remove: () => {
      for (const path of paths) rmSync(path, { force: true })
    },
  }
}

async function listen() {
  let heard = 0
  const server: Server = createServer((socket) => {
    heard += 1
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, heard: () => heard, close: () => server.close() }
}
