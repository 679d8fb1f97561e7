// `npm run picture`: draws the pictures of the README from a real run of the built program in a terminal of 120x34. Ids
// and commits are masked. Times, ages, spinners and how far an agent has come still differ from run to run.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TerminalProgram } from '../support/processes/terminal-program.ts'
import { drawSvg } from './draw-svg.ts'
import { PictureStage } from './picture-stage.ts'
import { maskText, readCells } from './read-cells.ts'

const SIZE = { cols: 120, rows: 34 }
const FOLDER = join('test', 'picture')
const DOWN = '\x1b[B'
const ESCAPE = '\x1b'
const PIN_AND_SPLIT = ' 2'
const UNPIN_AND_JOIN = ' 1'

const stage = new PictureStage()
try {
  await stage.begin()
  const program = stage.openDashboard(SIZE)
  await showTwo(program)
  save(program, 'dashboard', 'The dashboard: agents in the tree, a terminal and a log beside it')
  await showDiff(program)
  save(program, 'diff', "The diff of an agent's work")
  program.pty.write('q')
  await program.ended
} finally {
  stage.close()
}

/** Shows a terminal that stays, and below it the log of another agent. */
async function showTwo(program: TerminalProgram): Promise<void> {
  await program.shows('1✗')
  await select(program, 'translator', 'greetings')
  program.pty.write(PIN_AND_SPLIT)
  await program.shows('Greet formally or casually?')
  stage.send('translator', 'c')
  await select(program, 'polite', 'greetings')
  await program.shows('9 of 12')
}

async function showDiff(program: TerminalProgram): Promise<void> {
  await select(program, 'translator', 'greetings')
  program.pty.write(UNPIN_AND_JOIN)
  await select(program, 'parser', 'config-file')
  program.pty.write('d')
  await program.shows('untracked')
}

/** Selects by the filter and removes it again, because agents of different worktrees come in an order of their own. */
async function select(
  { pty, shows, lacks }: TerminalProgram,
  agent: string,
  worktree: string,
): Promise<void> {
  pty.write(`/${agent}\r`)
  await shows(`/${agent}`)
  pty.write(DOWN)
  await shows(`${agent} · ${worktree}`)
  pty.write(ESCAPE)
  await lacks(`/${agent}`)
}

function save({ emulator }: TerminalProgram, name: string, title: string): void {
  const path = join(FOLDER, `${name}.svg`)
  writeFileSync(path, drawSvg(maskText(readCells(emulator), stage.masks), title))
  console.error(`wrote ${path}`)
}
