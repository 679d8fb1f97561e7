// What a person or an agent may be in the middle of, each begun by a script and gone on with by another. The repository
// has a file `a` with one line. None of this is in a commit, a branch or a file: git keeps it in the tree's own git
// directory.

export interface Unfinished {
  readonly what: string
  /** It is not over: a landing would be refused meanwhile. */
  readonly inProgress: boolean
  readonly begin: string
  /** Fails where what was begun is not there any more. */
  readonly goOn: string
}

const COMMITS = 'for i in 1 2 3; do echo $i > f$i; git add f$i; git commit -qm f$i; done'
/** Another line on `side`, and a third one here, so that they conflict. */
const SIDES = `${COMMITS}
b=$(git rev-parse HEAD)
echo theirs > a; git commit -qam theirs; side=$(git rev-parse HEAD)
git reset -q --hard $b
echo ours > a; git commit -qam ours`

export const UNFINISHED: readonly Unfinished[] = [
  {
    what: 'a rebase with an autostash',
    inProgress: true,
    begin: `${COMMITS}; echo edit >> a; GIT_SEQUENCE_EDITOR='sed -i 1abreak' git rebase -q -i --autostash HEAD~2`,
    goOn: 'git rebase --continue; grep edit a; test "$(git log --format=%s -1)" = f3',
  },
  {
    what: 'a merge with conflicts',
    inProgress: true,
    begin: `${SIDES}; ! git merge -q $side`,
    goOn: 'test -n "$(git ls-files -u)"; echo both > a; git add a; git commit -qm merged; git rev-parse HEAD^2',
  },
  {
    what: 'a merge with an autostash',
    inProgress: true,
    begin: `${SIDES}; echo dirt >> f1; ! git merge -q --autostash $side`,
    goOn: 'echo both > a; git add a; git commit -qm merged; grep dirt f1',
  },
  {
    what: 'a pick with conflicts',
    inProgress: true,
    begin: `${SIDES}; ! git cherry-pick $side`,
    goOn: 'echo both > a; git add a; git -c core.editor=true cherry-pick --continue; test "$(git log --format=%s -1)" = theirs',
  },
  {
    what: 'a revert with conflicts',
    inProgress: true,
    begin: `${SIDES}; echo later > a; git commit -qam later; ! git revert --no-edit HEAD~1`,
    goOn: 'test -n "$(git ls-files -u)"; git revert --abort; grep later a',
  },
  {
    what: 'a bisect',
    inProgress: true,
    begin: `${COMMITS}; for i in 4 5 6; do echo $i > g$i; git add .; git commit -qm g$i; done; git bisect start -q HEAD HEAD~5`,
    goOn: 'git bisect good; git bisect log | grep -q good; git bisect reset; test "$(git log --format=%s -1)" = g6',
  },
  {
    what: 'patches that are being applied',
    inProgress: true,
    begin: `${SIDES}; git format-patch -q -1 --stdout $side > ../p.mbox; ! git am -q -3 ../p.mbox; rm ../p.mbox`,
    goOn: 'echo both > a; git add a; git am --continue; test "$(git log --format=%s -1)" = theirs',
  },
  {
    what: 'refs of this tree alone',
    inProgress: false,
    begin: `${COMMITS}; git update-ref refs/worktree/mine $(echo only | git commit-tree HEAD^{tree} -p HEAD)`,
    goOn: 'test "$(git log -1 --format=%s refs/worktree/mine)" = only',
  },
  {
    what: 'settings of this tree alone, and a sparse checkout',
    inProgress: false,
    begin: `${COMMITS}; mkdir d e; echo d > d/d; echo e > e/e; git add .; git commit -qm dirs; git sparse-checkout set --cone d; git config --worktree my.key mine`,
    goOn: 'test "$(git config my.key)" = mine; test ! -e e; test "$(git sparse-checkout list)" = d; test -z "$(git status --short)"',
  },
  {
    what: 'a conflict that git has notes about for the next one like it',
    inProgress: true,
    begin: `git config rerere.enabled true; ${SIDES}; ! git merge -q $side`,
    goOn: 'test "$(git rerere status)" = a; echo both > a; git add a; git commit -qm merged; git rev-parse HEAD^2',
  },
  {
    what: 'conflicts after a stash was taken out',
    inProgress: true,
    begin: `${COMMITS}; echo stashed > a; git stash -q; echo other > a; git commit -qam other; ! git stash pop -q`,
    goOn: 'test "$(git ls-files -u | wc -l)" -eq 3; git checkout --theirs a; grep stashed a',
  },
]
