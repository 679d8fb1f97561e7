// The tables of the README, made from the tables in code.

import type { CommandRow, OptionRow } from '../../../src/ui/cli/commands/command.ts'
import { COMMANDS } from '../../../src/ui/cli/commands/commands.ts'
import { listExitRows } from '../../../src/ui/cli/program-words.ts'
import { BINDINGS } from '../../../src/ui/screen/keys/bindings.ts'
import { showChord } from '../../../src/ui/screen/keys/chord-names.ts'
import { GROUP_TITLES, GROUPS } from '../../../src/ui/screen/keys/group-titles.ts'

/** By the names in the README's markers. They are fenced, because they are too wide for tables. */
export const README_TABLES: Readonly<Record<string, () => string>> = {
  commands: () => fence(COMMANDS.map((row) => `${wrap(synopsis(row), 6)}\n    ${row.summary}`)),
  keys: () => fence(keyTable()),
  'exit-statuses': () =>
    fence(
      listExitRows().map(({ status, meaning, codes }) =>
        [
          `${String(status).padStart(3)}  ${meaning}`,
          ...(codes.length === 0 ? [] : [`     ${wrap(codes.join(' '), 5)}`]),
        ].join('\n'),
      ),
    ),
}

function keyTable(): string[] {
  const look = { ascii: true }
  return GROUPS.map((group) => {
    const rows = BINDINGS.filter((binding) => binding.group === group).map(
      ({ action, chords, says }) =>
        `  ${chords
          .map((chord) => showChord(chord, look))
          .join(', ')
          .padEnd(12)}${action.padEnd(25)}${wrap(says, 39)}`,
    )
    return [GROUP_TITLES[group], ...rows].join('\n')
  })
}

/** The text with each table between its markers made anew. Throws if the markers of a table are missing. */
export function renewTables(text: string): string {
  return Object.entries(README_TABLES).reduce((renewed, [name, make]) => {
    const section = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!section.test(renewed)) throw new Error(`the README has no section ${name}`)
    return renewed.replace(section, (_, begin: string, end: string) => `${begin}\n${make()}\n\n${end}`)
  }, text)
}

function synopsis({ path, args = [], options = [], rest }: CommandRow): string {
  const operands = args.map(({ name, optional, repeats }) => {
    const shown = `${name.toUpperCase()}${repeats ? '...' : ''}`
    return optional ? `[${shown}]` : shown
  })
  return [
    'agency',
    ...path,
    ...options.map(optionSynopsis),
    ...operands,
    ...(rest ? ['[-- ARGS...]'] : []),
  ].join(' ')
}

function optionSynopsis({ flags, required, repeats }: OptionRow): string {
  const shown = flags.replace(/<(\w+)>/, (_, name: string) => name.toUpperCase())
  return `${required ? shown : `[${shown}]`}${repeats ? '...' : ''}`
}

const fence = (entries: readonly string[]): string => `\`\`\`text\n${entries.join('\n')}\n\`\`\``

const WIDTH = 110

/** Breaks at spaces that are not inside brackets. */
function wrap(text: string, indent: number): string {
  let lines = ''
  let line = ''
  for (const word of text.match(/(?:\[[^\]]*\]|\S)+/g) ?? []) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines += `${line}\n${' '.repeat(indent)}`
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return lines + line
}
