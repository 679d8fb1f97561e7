// What the person does meanwhile, in a worktree or in the repository.

import { type Deed, listDeeds } from './deed.ts'

export const WORKTREE_DEEDS: readonly Deed[] = listDeeds(1, {
  'person-edit': 'a README.md',
  'person-new': 'w mine-$MARK; w mine/dir-$MARK',
  'person-commit': 'w mine-$MARK; commit',
  'person-staged': 'w mine-$MARK; git add mine-$MARK; a mine-$MARK',
  'person-in-the-way': 'w c; w new/deep; w d/sparse',
  'person-ignored': 'w p.ignored; w ignored-dir/p',
  'person-merge-stopped':
    'git checkout -qb pm-$MARK; w pc; commit; git checkout -q -; line 2 > pc; commit; git merge pm-$MARK; a pc',
  'person-rebase-stopped':
    'b=$(git symbolic-ref --short HEAD); git checkout -qb pr-$MARK; w pc; commit; git checkout -q $b; line 2 > pc; commit; a README.md; git rebase --autostash pr-$MARK; a pc',
  'person-stash': 'w mine-$MARK; a README.md; git stash -qu',
  'person-branch-renamed': 'w mine-$MARK; commit; git branch -m mine-$MARK',
  'person-switched': 'git checkout -qb away-$MARK; w mine-$MARK; commit',
  'person-detached': 'git checkout -q --detach; w mine-$MARK; commit',
  'person-submodule':
    'git submodule update -q --init; cd sub || exit; a s; commit; cd ..; git add sub; git commit -qm bump',
  'person-nested': 'git init -q pn-$MARK; cd pn-$MARK; w f; commit; a f',
  'person-worktree-ref':
    'w wr; git add wr; c=$(git commit-tree -p HEAD -m x $(git write-tree)); git update-ref refs/worktree/kept-$MARK $c; git reset -q; rm wr',
  'person-read-only': 'w ro-$MARK/f; chmod 555 ro-$MARK d',
  'person-index-lock': ': > "$GD/index.lock"',
  'person-in-agency': 'w .agency/mine-$MARK',
  'person-assume-unchanged': 'git update-index --assume-unchanged README.md; a README.md',
  'person-sparse': 'git sparse-checkout set d; w d/mine-$MARK',
  'person-deleted': 'rm -rf "$TREE"/d',
})

/** A worktree has no branch of its name then. Doctor says what to type, and leaves it to the person. */
export const LOSES_BRANCH = /^person-branch-renamed$/

export const REPOSITORY_DEEDS: readonly Deed[] = listDeeds(1, {
  'repository-commit': 'w main-$MARK; commit',
  'repository-edit': 'a README.md; w loose-$MARK',
  'repository-pack-refs': 'git pack-refs --all',
  'repository-gc': 'git gc -q',
  'repository-tag':
    'for b in $(git for-each-ref --format="%(refname:short)" refs/heads/agency/); do git tag "$b" main; done',
  'repository-file-like-branch':
    'mkdir -p agency; for b in $(git for-each-ref --format="%(refname:lstrip=3)" refs/heads/agency/); do w agency/$b; done',
  'repository-lock': (dice) =>
    `b=$(git for-each-ref --format="%(refname)" refs/heads/agency/ | head -n ${dice.below(4) + 1} | tail -n 1); [ -z "$b" ] || : > "$CD/$b.lock"`,
  'repository-worktree-prune': 'git worktree prune',
  'repository-branch-moved':
    'b=$(git for-each-ref --format="%(refname)" refs/heads/agency/ | grep -v sandbox- | head -n 1); [ -z "$b" ] || { w moved-$MARK; git add moved-$MARK; git update-ref "$b" $(git commit-tree -p "$b" -m x $(git write-tree)); }',
  'repository-config': (dice) =>
    `git config ${dice.of(['core.autocrlf true', 'core.autocrlf input', 'core.fileMode false', 'core.untrackedCache true', 'core.fsmonitor true', 'status.showUntrackedFiles no', 'extensions.worktreeConfig true', 'submodule.recurse true', 'core.quotePath true', 'index.version 4', 'core.splitIndex true', 'merge.renames false', 'diff.noprefix true', 'core.symlinks false'])}`,
})
