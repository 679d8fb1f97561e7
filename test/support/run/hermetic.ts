// Every test file begins in the same world: no configuration of the machine, a fixed zone, locale and width.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'agency-home-'))

for (const name of Object.keys(process.env)) {
  if (
    /^(GIT_|AGENCY_|XDG_|CLAUDE|ANTHROPIC|CODEX|OPENAI|NO_COLOR|FORCE_COLOR|VISUAL|EDITOR|TMUX)/.test(name)
  ) {
    delete process.env[name]
  }
}
Object.assign(process.env, {
  HOME: home,
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_RUNTIME_DIR: home,
  AGENCY_DATA_DIR: join(home, 'data'),
  GIT_CONFIG_NOSYSTEM: '1',
  TZ: 'UTC',
  LC_ALL: 'C.UTF-8',
  COLUMNS: '100',
  TERM: 'xterm-256color',
})

afterAll(() => rmSync(home, { recursive: true, force: true }))
