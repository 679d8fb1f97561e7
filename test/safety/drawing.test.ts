// An agent may put control characters into names, files, commits and records. None of them reaches the person's
// terminal, and their shell's completion gets at most one word and its description for each line.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { git } from '../support/git/repository.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { shell } from '../support/scene/sandbox.ts'

const EVIL = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u202egnp\r\n$(touch canary)`touch canary`'

/** Control characters other than the line break, and characters that turn the direction of writing. */
const UNSAFE = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

function editRecord(desk: Desk, id: string, change: Readonly<Record<string, unknown>>): void {
  const [repoId = ''] = readdirSync(join(desk.dataDir, 'repos'))
  const meta = join(desk.dataDir, 'repos', repoId, 'invocations', id, 'meta.json')
  writeFileSync(meta, JSON.stringify({ ...JSON.parse(readFileSync(meta, 'utf8')), ...change }))
}

async function makeHostileDesk() {
  const desk = makeDesk()
  await desk.worktree('one')
  const agent = await desk.start('one', `printf '%s' '${EVIL.replaceAll('\r\n', '')}'; echo; exit 3`)
  await desk.run(['agent', 'wait', agent.invocation_id])
  const { sandbox_path: tree, invocation_id: id } = agent
  writeFileSync(join(showPath(tree), `file\u001b[2J\u202e\n.txt`), `${EVIL}\n`)
  shell(
    showPath(tree),
    'git add -A; git commit -q -F -'.replace('-F -', `-m "$(printf 'subject \\033[2J\\233')"`),
  )
  writeFileSync(join(showPath(tree), `more\u009b31m`), `${EVIL}\n`)
  editRecord(desk, id, {
    invocation_name: EVIL,
    prompt: EVIL,
    runner: EVIL,
    model: EVIL,
    failure: EVIL,
    runner_session_id: EVIL,
    exit_signal: EVIL,
    started_at: EVIL,
    prompt_path: EVIL,
  })
  return { desk, id, tree }
}

describe('what an agent made', () => {
  it('draws nothing in any verb, error, list, log, diff or completion', async () => {
    const { desk, id } = await makeHostileDesk()
    git(desk.root, 'config', 'core.fsmonitor', EVIL)
    const last = id.slice(0, 8)
    const verbs = [
      ['agent', 'ls', '--all'],
      ['agent', 'show', id],
      ['agent', 'logs', id],
      ['agent', 'logs', id, '--stderr'],
      ['agent', 'diff', id],
      ['agent', 'diff', id, '--json'],
      ['agent', 'land', id],
      ['agent', 'attach', id],
      ['agent', 'land', id, '--apply'],
      ['undo'],
      ['agent', 'discard', id],
      ['log'],
      ['log', '--json'],
      ['undo'],
      ['worktree', 'ls'],
      ['worktree', 'show', 'one'],
      ['doctor'],
      ['agent', 'show', EVIL],
      ['agent', EVIL],
      ['__complete', 'agent', 'show', last],
      ['__complete', 'worktree', 'show', ''],
    ]
    for (const verb of verbs) {
      const { stdout, stderr } = await desk.run(verb)
      expect({ verb, unsafe: UNSAFE.exec((stdout + stderr).replaceAll('\t', '')) }).toEqual({
        verb,
        unsafe: null,
      })
    }
    const { stdout } = await desk.run(['__complete', 'agent', 'show', last])
    expect(stdout.split('\n')).toHaveLength(1)
  })

  it("is no word that bash's completion runs or splits", async () => {
    const { desk, id } = await makeHostileDesk()
    const { stdout: script } = await desk.run(['completion', 'bash'])
    const program = `agency() { '${process.execPath}' '${join(process.cwd(), 'dist/agency.js')}' "$@"; }
      ${script}
      COMP_WORDS=(agency agent show ''); COMP_CWORD=3; _agency; printf '<%s>' "\${COMPREPLY[@]}"`
    const ran = spawnSync('bash', ['-c', program], {
      cwd: desk.root,
      env: { ...process.env, ...desk.env },
      encoding: 'utf8',
    })
    expect(ran.stdout).toBe(`<${id}>`)
    expect(readdirSync(desk.root)).not.toContain('canary')
  })
})
