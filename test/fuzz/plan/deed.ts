// What an agent or a person does, as text for a POSIX shell. Every file that a deed writes says which deed made it and at
// which step, so no two have the same bytes, and what was lost tells whence it came.

import type { Dice } from './dice.ts'

type DeedScript = string | ((dice: Dice) => string)

export interface Deed {
  readonly name: string
  readonly weight: number
  readonly script: DeedScript
}

/** Rows of a table: their name, and a script or a way to make one. */
export const listDeeds = (weight: number, table: Readonly<Record<string, DeedScript>>): Deed[] =>
  Object.entries(table).map(([name, script]) => ({ name, weight, script }))

/**
 * Each deed is done in a shell of its own, in `$TREE`, so that one that fails, or leaves, does not end the others.
 *
 * - `w PATH` writes a file anew, `a PATH` adds a line to it, `commit` commits all that is there.
 * - `$ID` is the agent's id, `$MARK` the step's; `$GD` and `$CD` are the tree's git directory and the common one.
 */
export const PROLOGUE = `
export GIT_AUTHOR_NAME=Maker GIT_AUTHOR_EMAIL=m@x GIT_COMMITTER_NAME=Maker GIT_COMMITTER_EMAIL=m@x GIT_EDITOR=true
unset LD_PRELOAD NODE_OPTIONS FUZZ_STATE
umask 022
ulimit -c 0
TREE=$PWD
ID=$AGENCY_INVOCATION_ID
GD=$(git rev-parse --absolute-git-dir)
CD=$(cd "$(git rev-parse --git-common-dir)" && pwd)
OWN=\${TREE%/sandboxes/*}
line() { printf 'made by %s at step %s in %s\\n' "$DEED" "$MARK" "$1"; }
w() { case $1 in */*) mkdir -p -- "\${1%/*}";; esac; line "$1" > "$1"; }
a() { line "$1" >> "$1"; }
commit() { git add -A; git commit -qm "$DEED $MARK" "$@"; }
`

export interface ChosenDeed {
  readonly name: string
  readonly script: string
}

export const choose = (dice: Dice, { name, script }: Deed): ChosenDeed => ({
  name,
  script: typeof script === 'string' ? script : script(dice),
})

/** A whole script. `mark` is the number of the step. */
export function formatDeeds(mark: string, deeds: readonly ChosenDeed[]): string {
  const blocks = deeds.map(
    ({ name, script }) => `DEED=${name}\n(\ncd "$TREE"\n${script}\n) </dev/null >>"$LOG" 2>&1\n`,
  )
  return `${PROLOGUE}MARK=${mark}\n${blocks.join('')}`
}
