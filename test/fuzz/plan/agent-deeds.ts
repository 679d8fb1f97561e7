// What an agent may well do without meaning harm.

import { type Deed, listDeeds } from './deed.ts'
import { STRANGE_NAMES } from './strange-names.ts'

const COMMON: readonly Deed[] = listDeeds(4, {
  edit: 'a README.md; a d/x',
  new: 'w new-$MARK.txt; w new/deep/er-$MARK',
  commit: 'w committed-$MARK; a README.md; commit',
  amend: 'w amended-$MARK; git add -A; git commit -q --amend --no-edit',
  'staged-then-changed': 'w staged-$MARK; git add staged-$MARK; a staged-$MARK',
})

const USUAL: readonly Deed[] = listDeeds(2, {
  rename: 'git mv README.md renamed-$MARK; a renamed-$MARK',
  delete: 'git rm -rqf d; w after-delete-$MARK',
  executable: 'w run-$MARK; chmod 755 run-$MARK; git add -A; chmod 644 d/x',
  'branch-switch': 'git checkout -qb side-$MARK; w side-$MARK; commit',
  detached: 'git checkout -q --detach; w detached-$MARK; commit; w after-detached-$MARK',
  merge:
    'git checkout -qb m-$MARK; w m1-$MARK; commit; git checkout -q -; w m2-$MARK; commit; git merge -q m-$MARK',
  'merge-stopped':
    'git checkout -qb mc-$MARK; w c; commit; git checkout -q -; echo other; line 2 > c; commit; git merge mc-$MARK; a c',
  'rebase-stopped':
    'git checkout -qb rb-$MARK; w c; commit; w c2; commit; git checkout -q -; line 2 > c; commit; a README.md; git checkout -q rb-$MARK; git rebase --autostash -; a c',
  'cherry-pick-stopped':
    'git checkout -qb cp-$MARK; w c; commit; git checkout -q -; line 2 > c; commit; git cherry-pick cp-$MARK',
  bisect: 'w b1; commit; w b2; commit; git bisect start HEAD HEAD~2',
  stash: 'w stashed-$MARK; a README.md; git stash -qu',
  'staged-then-deleted': 'w gone-$MARK; git add gone-$MARK; rm gone-$MARK',
  'intent-to-add': 'w intended-$MARK; git add -N intended-$MARK',
  'submodule-commit': (dice) =>
    `git submodule update -q --init; cd sub || exit; a s; commit; cd ..; ${dice.of(['', 'git add sub; git commit -qm bump', 'git add sub'])}`,
  'submodule-dirty': 'git submodule update -q --init; test -e sub/s || exit; a sub/s; w sub/loose-$MARK',
  'nested-repository': (dice) =>
    `git init -q nested-$MARK; cd nested-$MARK; w f; ${dice.of(['', 'commit', 'commit; a f', 'git add f'])}`,
  'worktree-ref':
    'w wr-$MARK; git add wr-$MARK; c=$(git commit-tree -p HEAD -m x $(git write-tree)); git update-ref refs/worktree/kept-$MARK $c; git reset -q; rm wr-$MARK',
  'many-files': 'for i in $(seq 150); do w many-$MARK/$((i % 7))/f$i; done',
  'big-file': 'w big-$MARK; seq 300000 >> big-$MARK',
  ignored: 'w x.ignored; w ignored-dir/y',
  secret: 'w .env; w my.key; w d/.env.local',
  'carriage-returns': `printf 'made by cr %s\\r\\nx\\ny\\r\\n' $MARK > cr-$MARK.txt; printf 'made by cr2 %s\\r\\n' $MARK > d/cr-$MARK.txt`,
  encoding: `printf 'made by encoding %s' $MARK | iconv -t UTF-16 > e-$MARK.utf16; printf 'no utf16 %s' $MARK > f-$MARK.utf16`,
  filtered: 'w x-$MARK.lossy; a x-$MARK.lossy; echo secret >> x-$MARK.lossy; w y-$MARK.big; w z-$MARK.fail',
  'file-for-directory': 'git rm -rq --cached d; rm -rf d; w d',
  'directory-for-file': 'rm README.md; w README.md/inside-$MARK',
  links:
    'ln -s ../../nowhere-$MARK out-$MARK; ln -s /etc/passwd abs-$MARK; ln -s d dir-link-$MARK; ln -s "$HOME" home-$MARK',
  'link-for-directory': 'mv d real-$MARK; ln -s real-$MARK d',
  'sparse-checkout': 'git sparse-checkout set d; w d/sparse-$MARK; w outside-sparse-$MARK',
  maintenance: (dice) =>
    dice.of(['git gc -q', 'git repack -adq', 'git pack-refs --all', 'git prune-packed -q']),
  'empty-directory': 'mkdir -p empty-$MARK/in/side',
  modes:
    'w m1-$MARK; chmod 600 m1-$MARK; w m2-$MARK; chmod 4711 m2-$MARK; w m3-$MARK; chmod 666 m3-$MARK; commit; chmod 640 m3-$MARK',
  'big-output': 'seq 200000',
  'strange-names': (dice) =>
    dice
      .some(STRANGE_NAMES, 4)
      .map((name) => `f=${name}; line "$f" > "./$f"`)
      .join('\n') + dice.of(['', '\ncommit']),
  background: `( for i in 1 2 3 4 5 6 7 8; do w late-$MARK-$i; sleep 0.3; done ) &`,
})

export const AGENT_DEEDS: readonly Deed[] = [...COMMON, ...USUAL]
