// Each byte and each mode comes back by every verb that brings a sandbox back, whatever git would make of them.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changesetKind, openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { readKeptState } from '../../../../src/core/changesets/worktree/keep/read-kept-state.ts'
import { inSteps } from '../../../../src/core/doors/steps.ts'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { sandboxBranch } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { exportCheckpoint } from '../../../../src/core/operations/checkpoints/export-checkpoint.ts'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { git, makeScratch } from '../../../support/git/repository.ts'
import { exactManifest } from '../../../support/git/tree-manifest.ts'
import { sampledOf } from '../../../support/run/sampled.ts'
import { restoreTo, take, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { CHANGESET, makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

interface Kind {
  readonly title: string
  readonly attributes: string
  readonly settings?: Readonly<Record<string, string>>
  /** Makes files in the present directory. */
  readonly make: string
  /** Makes other files of the same names there. */
  readonly change: string
}

const LINES = `printf 'a\\r\\nb\\r\\n' > crlf.txt; printf 'a\\nb\\n' > lf.txt; printf 'a\\r\\nb\\nc\\r\\n' > mixed.txt
  printf '\\0\\r\\n\\r' > binary`
const OTHER_LINES = `printf 'a\\nb\\n' > crlf.txt; printf 'a\\r\\nb\\r\\n' > lf.txt; printf 'a\\nb\\nc\\n' > mixed.txt`

const NO_FILE_MODE = { 'core.fileMode': 'false' }
const EXECUTABLES = `for name in made named edited own; do echo a > $name; done; git add named
  git update-index --chmod=+x named; chmod 755 made edited; chmod 700 own`
const OTHER_EXECUTABLES = 'chmod 644 made edited; chmod 755 named own; echo b >> edited'

const KINDS: readonly Kind[] = [
  { title: 'line ends under text=auto', attributes: '* text=auto\n', make: LINES, change: OTHER_LINES },
  { title: 'line ends under eol=crlf', attributes: '*.txt eol=crlf\n', make: LINES, change: OTHER_LINES },
  {
    title: 'line ends under core.autocrlf=input',
    attributes: '',
    settings: { 'core.autocrlf': 'input' },
    make: LINES,
    change: OTHER_LINES,
  },
  {
    title: 'line ends under core.autocrlf',
    attributes: '',
    settings: { 'core.autocrlf': 'true', 'core.safecrlf': 'false' },
    make: LINES,
    change: OTHER_LINES,
  },
  {
    title: 'what a clean filter strips',
    attributes: '*.ipynb filter=strip\n',
    settings: { 'filter.strip.clean': 'grep -v OUTPUT', 'filter.strip.smudge': 'cat' },
    make: `printf 'code\\nOUTPUT 42\\n' > n.ipynb`,
    change: `printf 'code\\nOUTPUT 43\\n' > n.ipynb`,
  },
  {
    title: 'what a filter fails at that is not required',
    attributes: '*.bin filter=gone\n',
    settings: { 'filter.gone.clean': 'no-such-program', 'filter.gone.smudge': 'no-such-program' },
    make: `printf data > f.bin`,
    change: `printf other > f.bin`,
  },
  {
    title: 'what a filter keeps elsewhere',
    attributes: '*.big filter=store\n',
    settings: {
      'filter.store.clean':
        'f=$(mktemp -p "$HOME"); cat > $f; h=$(sha1sum < $f | cut -c1-40); mv $f "$HOME/stored-$h"; echo $h',
      'filter.store.smudge': 'read h; cat "$HOME/stored-$h"',
    },
    make: `printf 'big a' > f.big`,
    change: `printf 'big b' > f.big`,
  },
  {
    title: 'keywords',
    attributes: '*.c ident\n',
    make: `echo '$Id$' > plain.c; echo '$Id: of another system $' > odd.c; echo none > none.c`,
    change: `echo '$Id: changed $' > plain.c; echo '$Id$' > odd.c`,
  },
  {
    title: 'encodings',
    attributes: '*.rc text working-tree-encoding=UTF-16\n*.le text working-tree-encoding=UTF-16LE-BOM\n',
    make: `printf '\\377\\376a\\0\\n\\0' > little.rc; printf '\\376\\377\\0a\\0\\n' > big.rc; printf '\\377\\376a\\0\\r\\0\\n\\0' > f.le`,
    change: `printf '\\376\\377\\0a\\0\\n' > little.rc; printf '\\377\\376b\\0' > f.le`,
  },
  {
    title: 'modes',
    attributes: '',
    make: `for m in 600 444 777 2755 1644 664; do echo $m > m$m; chmod $m m$m; done
      mkdir closed; echo x > closed/x; chmod 700 closed; mkdir fixed; echo x > fixed/x; chmod 555 fixed`,
    change: `chmod 644 m600 m777; chmod 600 m444; chmod 755 closed fixed; chmod 700 .`,
  },
  {
    title: 'modes that git does not look at',
    attributes: '',
    settings: NO_FILE_MODE,
    make: EXECUTABLES,
    change: OTHER_EXECUTABLES,
  },
  {
    title: 'directories that hold nothing',
    attributes: '',
    make: 'echo x > file; mkdir -p one/in/side gone filled taken; mkdir -m 700 closed',
    change: `rmdir one/in/side gone taken; echo x > filled/x; echo x > taken; mkdir -p new/in; rm file; mkdir file`,
  },
]

/** The same files committed, staged and untracked. */
const everywhere = (script: string): string =>
  ['committed', 'staged', 'untracked']
    .map((dir) => `mkdir -p ${dir}; (cd ${dir}; ${script}) || exit 1`)
    .join('\n')

async function discard(scene: Scene): Promise<readonly string[]> {
  const record = readInvocation(scene.repository.paths, scene.record.invocation_id)
  return (await discardInvocation(scene.repository, record, never)).notes
}

const statusOf = ({ tree }: Scene): string => git(tree, 'status', '--porcelain=v2')

test.each(sampledOf(KINDS))(
  'a restore, its undo and redo bring back each byte and mode: $title',
  async (kind) => {
    const scene = await makeScene({ '.gitattributes': kind.attributes, base: 'base\n' }, kind.settings)
    shell(scene.tree, `${everywhere(kind.make)}\ngit add committed; git commit -qm work; git add staged`)
    const [files, status] = [exactManifest(scene.tree), statusOf(scene)]
    const { id } = await takeNowIn(scene)
    expect(await take(scene, 'asked')).toBeNull()
    shell(scene.tree, everywhere(kind.change))
    const changed = exactManifest(scene.tree)
    expect(changed).not.toEqual(files)
    await restoreTo(scene, id)
    expect(exactManifest(scene.tree)).toEqual(files)
    expect(statusOf(scene)).toBe(status)
    await undoLast(scene.repository)
    expect(exactManifest(scene.tree)).toEqual(changed)
    await redoLast(scene.repository)
    expect(exactManifest(scene.tree)).toEqual(files)
  },
)

test.each(sampledOf(KINDS))(
  'a sandbox that is closed comes back with each byte and mode: $title',
  async (kind) => {
    const scene = await makeScene({ '.gitattributes': kind.attributes, base: 'base\n' }, kind.settings)
    shell(scene.tree, `${everywhere(kind.make)}\ngit add committed; git commit -qm work; git add staged`)
    const [files, status] = [exactManifest(scene.tree), statusOf(scene)]
    expect(await discard(scene)).toEqual([])
    expect(existsSync(scene.tree)).toBe(false)
    await undoLast(scene.repository)
    expect(exactManifest(scene.tree)).toEqual(files)
    expect(statusOf(scene)).toBe(status)
    const record = readInvocation(scene.repository.paths, scene.record.invocation_id)
    await landInvocation(scene.repository, record, { apply: true })
    await undoLast(scene.repository)
    expect(exactManifest(scene.tree)).toEqual(files)
  },
)

test.each([
  {
    what: 'of every kind',
    settings: {},
    script: `printf 'a\\r\\n' > base; mkdir d; echo x > d/x; chmod 640 d/x; chmod 700 d; mkdir -p e/f`,
  },
  {
    what: 'where git does not look at modes',
    settings: NO_FILE_MODE,
    script: `chmod 755 base; ${everywhere(EXECUTABLES)}`,
  },
])('a fork and an export have each byte and mode too: $what', async ({ settings, script }) => {
  const scene = await makeScene({ '.gitattributes': '* text=auto\n', base: 'a\nb\n' }, settings)
  const { repository, record } = scene
  shell(scene.tree, script)
  const files = exactManifest(scene.tree)
  const { id, snapshot_commit } = await takeNowIn(scene)
  const path = join(makeScratch(), 'export')
  await exportCheckpoint(repository, record, { checkpoint: id, to: { path } })
  expect(exactManifest(path)).toEqual(files)
  const kept = await readKeptState(repository, snapshot_commit)
  const own = parseInvocationId('20260128113000-f0f0')
  mkdirSync(repository.paths.invocation(own).sandboxDir, { recursive: true })
  const made = await inSteps(repository.effects, async (step) => {
    const state = { commit: snapshot_commit, kept }
    const wanted = { id: own, branch: sandboxBranch(own), start: kept.head, state, likely: null }
    const fork = await changesetKind({ changeset: CHANGESET }).make(repository, wanted, step)
    await fork.filling.ended
    return fork
  })
  expect(exactManifest(showPath(made.sandbox_path))).toEqual(files)
})

test.each([
  { what: 'modes that git cannot say', settings: {}, mode: '600' },
  { what: 'modes that git does not look at', settings: NO_FILE_MODE, mode: '755' },
])(
  'a restore that is repeated after a kill anywhere ends with the same: $what',
  async ({ settings, mode }) => {
    const scene = await makeScene({ '.gitattributes': '* text=auto\n', base: 'a\nb\n', old: 'o\n' }, settings)
    shell(scene.tree, `printf 'a\\r\\n' > base; chmod ${mode} old`)
    const files = exactManifest(scene.tree)
    const { snapshot_commit: to } = await takeNowIn(scene)
    shell(scene.tree, 'echo other > base; chmod 644 old')
    const { snapshot_commit: from } = await takeNowIn(scene)
    const changeset = openChangeset(scene.repository, scene.record)
    const states = { from, to, bring_back: null, reverses: null }
    const plan = await changeset.planRestore(states)
    const operation = {
      schema_version: '1.0' as const,
      operation_id: '20260128113000-abcd',
      at: '2026-01-28T11:30:00.000Z',
      kind: 'restore' as const,
      description: 'restored',
      worktree_id: scene.worktree.worktree_id,
      invocation_ids: [scene.record.invocation_id],
      refs: [],
      target: null,
    }
    const invocation_id = scene.record.invocation_id
    const journal = {
      schema_version: '1.0' as const,
      invocation_id,
      operation,
      ...states,
      ...plan,
      writers: [],
    }
    for (const torn of ['', 'printf a > base; chmod 640 old', 'rm base old']) {
      shell(scene.tree, torn)
      await changeset.restore(journal)
      expect({ torn, ...exactManifest(scene.tree) }).toEqual({ torn, ...files })
    }
  },
)
