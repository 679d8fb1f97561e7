// Options that every command takes, before its name or after it.

import type { OptionRow } from './command.ts'

export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: '--json', summary: 'print one JSON object instead of text' },
  { flags: '--no-color', summary: 'print without colours (as NO_COLOR does)' },
  {
    flags: '-C, --directory <dir>',
    summary: 'work as if started in this directory',
    completes: 'directory',
  },
]

/** `prompt-file` of `--prompt-file <file>`. */
export function longName(option: OptionRow): string {
  return /--([a-z-]+)/.exec(option.flags)?.[1] ?? option.flags
}

export const takesValue = (option: OptionRow): boolean => option.flags.includes('<')
