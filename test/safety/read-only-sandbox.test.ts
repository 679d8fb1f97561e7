// An agent can take permissions away, from its own tree and from what lies in it. That keeps nobody from closing it.

import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type Desk, makeDesk, PROGRAM } from '../support/processes/cli.ts'
import { waitUntil } from '../support/run/wait.ts'

/** Root may write wherever it likes, so there the program is run as root without what makes it so. */
const AS_PERSON = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

async function runAsPerson(desk: Desk, ...args: readonly string[]): Promise<string> {
  const [first = '', ...others] = [...AS_PERSON, process.execPath, PROGRAM, ...args]
  const ran = await execa(first, others, {
    cwd: desk.root,
    env: desk.env,
    stdin: 'ignore',
    all: true,
    reject: false,
  })
  expect({ code: ran.exitCode, said: ran.all }).toMatchObject({ code: 0 })
  return String(ran.all)
}

const COMMIT = 'echo x > dir/a; git add .; git -c user.name=A -c user.email=a@b commit -qm work'

test.each([
  ['land', 'its tree', 'chmod a-w .'],
  ['discard', 'its tree', 'chmod a-w .'],
  ['discard', 'all directories and files of it', 'chmod -R a-w .'],
  ['land', 'what is not committed', 'mkdir cache; echo y > cache/y; chmod -R a-w cache .'],
])('%s and undo of it work on a sandbox whose agent made %s read-only', async (verb, _, forbid) => {
  const desk = makeDesk({ 'dir/a': 'a\n' })
  await desk.worktree('one')
  const { invocation_id, sandbox_path } = await desk.start('one', `${COMMIT}; ${forbid}`)
  await waitUntil(async () => (await desk.show(invocation_id)).status === 'finished')
  const apply = verb === 'land' ? ['--apply'] : []
  const said = await runAsPerson(desk, 'agent', verb, invocation_id, ...apply)
  expect(said).not.toContain('could not be removed')
  expect(existsSync(showPath(sandbox_path))).toBe(false)
  await runAsPerson(desk, 'undo')
  expect(existsSync(`${showPath(sandbox_path)}/dir/a`)).toBe(true)
})
