// The repository of a case: its shape, and what is in it before anyone works.

import { type ChosenDeed, choose, type Deed, listDeeds } from './deed.ts'
import type { Dice } from './dice.ts'
import { STRANGE_NAMES } from './strange-names.ts'

export interface World {
  /** Where the repository lies: raw bytes, one character each. */
  readonly place: string
  readonly format: 'sha1' | 'sha256'
  readonly layout: 'plain' | 'bare' | 'separate' | 'shallow' | 'alternates'
  /** It has no commit until the person makes one. */
  readonly unborn: boolean
  /** Modes of files bind us, though the fuzzer may be run by root. */
  readonly bound: boolean
  /** The data directory is a file system of its own, of so many megabytes. */
  readonly small: number | null
  readonly ingredients: readonly ChosenDeed[]
}

const INGREDIENTS: readonly Deed[] = listDeeds(1, {
  submodule: 'git submodule add -q "$OUT/sub.git" sub',
  'line-ends': (dice) =>
    `printf '%s\\n' '${dice.of(['* text=auto', '* text=auto eol=crlf', '*.txt text', '* text eol=lf'])}' >> .gitattributes`,
  encodings:
    "printf '*.utf16 text working-tree-encoding=UTF-16\\n' >> .gitattributes; printf x | iconv -t UTF-16 > base.utf16",
  'filter-lossy': `printf '*.lossy filter=lossy\\n' >> .gitattributes; git config filter.lossy.clean 'sed /secret/d'; git config filter.lossy.smudge cat`,
  'filter-failing': `printf '*.fail filter=fail\\n' >> .gitattributes; git config filter.fail.clean false; git config filter.fail.required true`,
  'filter-pointer': `printf '*.big filter=big\\n' >> .gitattributes; mkdir -p "$OUT/big"; git config filter.big.clean "t=\\$(mktemp '$OUT/big/XXXXXX'); cat > \\$t; h=\\$(sha1sum < \\$t | cut -c1-40); mv \\$t '$OUT/big/'\\$h; echo pointer \\$h"; git config filter.big.smudge "h=\\$(tr -d '\\r' | cut -c9-); cat '$OUT/big/'\\$h"; w base.big`,
  'packed-refs': 'commit; git pack-refs --all',
  'tag-like-main': 'commit; git tag main',
  'file-like-main': 'w main; w agency/x',
  'strange-names': (dice) =>
    dice
      .some(
        STRANGE_NAMES.filter((name) => !name.includes('.gitmodules')),
        6,
      )
      .map((name) => `f=${name}; line "$f" > "./$f"`)
      .join('\n'),
  'many-files': 'for i in $(seq 300); do w many/$((i % 13))/f$i; done',
  'nested-repository':
    'git init -q --object-format=$(git rev-parse --show-object-format) inner; cd inner; w f; commit',
  'links-out': 'ln -s /etc/hostname l1; ln -s ../.. l2; ln -s nowhere l3',
  executables: 'w x1; chmod 755 x1; w x2; chmod 700 x2; git add -A; git update-index --chmod=+x README.md',
  autocrlf: (dice) => `git config core.autocrlf ${dice.of(['true', 'input'])}`,
  'no-file-mode': 'git config core.fileMode false',
  'ignore-case': 'git config core.ignoreCase true',
  'untracked-cache': 'git config core.untrackedCache true; git update-index --untracked-cache',
  'file-system-monitor': 'git config core.fsmonitor true',
  'split-index': 'git config core.splitIndex true; git config splitIndex.sharedIndexExpire now',
  'worktree-config': 'git config extensions.worktreeConfig true',
  sparse: 'git sparse-checkout set d',
  'hooks-of-the-person': `for h in pre-commit post-checkout post-commit reference-transaction pre-auto-gc; do printf '#!/bin/sh\\nexit 0\\n' > "$CD/hooks/$h"; chmod 755 "$CD/hooks/$h"; done`,
  'hidden-untracked': 'git config status.showUntrackedFiles no',
  'no-symlinks': 'git config core.symlinks false',
  'agency-in-tree': 'w .agency/tracked; git add -f .agency',
  'ignores-agency': "printf '.agency/\\n' >> .gitignore",
  'own-worktree': 'commit; git worktree add -q "$OUT/elsewhere" -b elsewhere; cd "$OUT/elsewhere"; w theirs',
  'branch-agency': (dice) =>
    `commit; git branch ${dice.of(['agency', 'agency/sandbox', 'refs/heads/agency', 'agency-x'])}`,
  identless: 'git config user.name ""; git config user.email ""',
})

const PLACES = [
  'repo',
  'repo',
  'repo',
  'repo',
  're po',
  'new\nline',
  'b\xffd',
  'q\'uo"te$x',
  '-dash',
  '\xc3\xa9',
  'a:b;c',
]

/** No path that is not text can be used, and each verb says so. */
export const isText = (place: string): boolean => !Buffer.from(place, 'latin1').toString().includes('\ufffd')

export function planWorld(dice: Dice): World {
  return {
    place: dice.of(PLACES),
    format: dice.chance(0.12) ? 'sha256' : 'sha1',
    layout: dice.of([
      'plain',
      'plain',
      'plain',
      'plain',
      'plain',
      'bare',
      'separate',
      'shallow',
      'alternates',
    ]),
    unborn: dice.chance(0.05),
    bound: dice.chance(0.5),
    small: dice.chance(0.12) ? dice.of([4, 8, 16]) : null,
    ingredients: dice.some(INGREDIENTS, dice.below(5)).map((deed) => choose(dice, deed)),
  }
}
