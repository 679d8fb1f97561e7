// What an agent does that breaks things: by mistake, or because it means harm to its own sandbox. Nothing here harms
// other sandboxes or the shared repository in a way that the README says it could.

import { type Deed, listDeeds } from './deed.ts'

/** Something else in the place of `path`. */
const INSTEAD = (path: string): readonly string[] => [
  `rm -rf -- "${path}"; mkfifo "${path}"`,
  `rm -rf -- "${path}"; echo garbage > "${path}"`,
  `rm -rf -- "${path}"; : > "${path}"`,
  `rm -rf -- "${path}"; ln -s /dev/zero "${path}"`,
  `rm -rf -- "${path}"; mkdir "${path}"`,
  `rm -rf -- "${path}"`,
  `truncate -s 700M "${path}"`,
]

const FIFOS: readonly Deed[] = listDeeds(1, {
  fifo: 'mkfifo pipe-$MARK; w beside-fifo-$MARK',
  'fifo-for-tracked': 'rm -f README.md; mkfifo README.md; w beside-fifo-$MARK',
  'fifo-for-rules': (dice) => {
    const name = dice.of([
      '.gitignore',
      '.gitattributes',
      'd/.gitignore',
      '.gitmodules',
      '.mailmap',
      '.agency.toml',
    ])
    return `rm -f ${name}; mkfifo ${name}; w beside-fifo-$MARK`
  },
  socket: `python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'`,
  'huge-sparse': 'w huge-$MARK; truncate -s 200M huge-$MARK',
})

const GIT_STATE: readonly Deed[] = listDeeds(1, {
  'assume-unchanged': 'git update-index --assume-unchanged README.md d/x; a README.md; a d/x',
  'skip-worktree': 'git update-index --skip-worktree README.md; a README.md',
  'index-lock': ': > "$GD/index.lock"',
  'head-lock': ': > "$GD/HEAD.lock"',
  'branch-lock': 'b=$(git symbolic-ref HEAD) && : > "$CD/$b.lock"',
  'packed-refs-lock': ': > "$CD/packed-refs.lock"',
  'config-lock': ': > "$CD/config.lock"',
  'ref-in-the-way': (dice) =>
    `git update-ref refs/agency/${dice.of(['trash', 'snapshots'])}/$ID${dice.of(['', '/x', '/1/x'])} HEAD`,
  'tag-like-branch': 'b=$(git symbolic-ref --short HEAD) && w tagged-$MARK && commit && git tag "$b" HEAD~1',
  'own-branch-deleted': 'w lost-branch-$MARK; commit; git update-ref -d HEAD',
  'own-branch-renamed': 'w renamed-branch-$MARK; commit; git branch -m other-$MARK',
  'head-replaced': (dice) => `w before-head-$MARK; ${dice.of(INSTEAD('$GD/HEAD'))}`,
  'index-replaced': (dice) => `w before-index-$MARK; ${dice.of(INSTEAD('$GD/index'))}`,
  'git-file-replaced': (dice) => `w before-git-$MARK; ${dice.of(INSTEAD('$TREE/.git'))}`,
  'git-init-over': 'w before-init-$MARK; rm .git; git init -q .; w after-init-$MARK; commit',
  'commondir-replaced': (dice) => `w before-commondir-$MARK; ${dice.of(INSTEAD('$GD/commondir'))}`,
  'unknown-extension':
    'git config extensions.worktreeConfig true; git config --worktree core.worktree /nowhere',
  'planted-programs':
    'p="$OUT/planted"; printf "#!/bin/sh\\n[ -n \\"\\$ACTOR\\" ] || : > \\"$OUT/ran\\"\\ncat\\n" > "$p"; chmod 755 "$p"; git config core.fsmonitor "$p"; git config filter.p.clean "$p"; git config core.hooksPath "$OUT"; cp "$p" "$OUT/post-checkout"; cp "$p" "$OUT/reference-transaction"; echo "*.planted filter=p" >> .gitattributes; w x.planted',
  'attributes-planted': (dice) =>
    `printf '%s\\n' '${dice.of(['* text=auto eol=crlf', '* text eol=lf', '*.txt working-tree-encoding=UTF-16', '* -text', '* ident'])}' >> .gitattributes; printf 'made by attr %s\\r\\n$Id: x $\\n' $MARK > attr-$MARK.txt`,
})

const FILES: readonly Deed[] = listDeeds(1, {
  'in-agency': 'w .agency/PLAN-$MARK.md; w .agency/d/x-$MARK; mkdir .agency/empty',
  'marker-replaced': (dice) => `w before-marker-$MARK; ${dice.of(INSTEAD('$TREE/.agency/SANDBOX_MARKER'))}`,
  'agency-replaced': (dice) => `w before-agency-$MARK; ${dice.of(INSTEAD('$TREE/.agency'))}`,
  'deep-path': `n=$(printf %0200d 0); for i in $(seq 25); do mkdir -p $n && cd $n || exit; done; w deep-$MARK`,
  'read-only-directory': 'w ro-$MARK/f; chmod 555 ro-$MARK; chmod 555 d',
  'read-only-tracked': 'a d/x; commit; a d/x; chmod 555 d',
  'unreadable-directory': 'w un-$MARK/f; chmod 000 un-$MARK',
  'unreadable-file': 'w un-$MARK; chmod 000 un-$MARK',
  'tree-moved': 'w before-move-$MARK; mv "$TREE" "$TREE.away"; ln -s "$TREE.away" "$TREE"',
  'tree-deleted': 'rm -rf "$TREE"/* ',
  'tree-gone': 'cd /; rm -rf "$TREE"',
  'record-replaced': (dice) =>
    dice.of(
      INSTEAD(
        `$OWN/${dice.of(['invocations/$ID/meta.json', 'invocations/$ID/events.jsonl', 'invocations/$ID/runner_status.json'])}`,
      ),
    ),
  'checkpoints-replaced': (dice) => dice.of(INSTEAD('$OWN/sandboxes/$ID/checkpoints.json')),
  'logs-replaced': (dice) =>
    dice.of(INSTEAD(`$OWN/sandboxes/$ID/logs/${dice.of(['raw.jsonl', 'stderr.log', 'stream.jsonl'])}`)),
})

export const HOSTILE_DEEDS: readonly Deed[] = [...FIFOS, ...GIT_STATE, ...FILES]

/** Their agent breaks its own record or sandbox. Doctor names that, and leaves it to the person. */
export const BREAKS_OWN =
  /^(record|checkpoints|logs|marker|agency|head|index|git-file|commondir)-replaced$|^tree-|^git-init-over$|^own-branch-/

/** They put something else in the place of a file that agency or git reads. Doctor names that, and leaves it, too. */
export const PLANTS_FILES = new RegExp(`${BREAKS_OWN.source}|^fifo-for-rules$`)

/** What git itself says is wrong afterwards, as long as that sandbox is there. */
export const BREAKS_WORKTREE = /^(head|commondir|git-file|index)-replaced$|^own-branch-deleted$/
