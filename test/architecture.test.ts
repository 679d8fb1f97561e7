import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: join('src', path), text: readFileSync(join('src', path), 'utf8') }))

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^'\s]+)'/g)].flatMap((match) => match[1] ?? [])

/** The files that join the rooms. */
const COMPOSITION = /^src\/ui\/(main|program|screen-program|compose|long-lived|open-whole-agency)\.ts$/

/** Which rooms a room may not reach. Imports run one way: ui -> core <- runners. */
const FENCES: ReadonlyArray<{ from: RegExp; never: RegExp; except?: RegExp }> = [
  { from: /^src\/core\//, never: /^src\/(ui|runners)\// },
  { from: /^src\/core\/model\//, never: /^src\/core\/(?!model\/)/ },
  { from: /^src\/core\/doors\//, never: /^src\/core\/(?!doors\/|model\/)/ },
  { from: /^src\/core\/store\//, never: /^src\/core\/(changesets|operations|facade)\// },
  { from: /^src\/core\/changesets\//, never: /^src\/core\/(operations|facade)\// },
  // Operations may import what the facade says about its verbs, but not how it calls them.
  { from: /^src\/core\/operations\//, never: /^src\/core\/facade\/(?!agency|diagnosing|watching)/ },
  { from: /^src\/runners\//, never: /^src\/ui\// },
  {
    from: /^src\/runners\/host-client\//,
    never: /^src\/runners\/host\/(inside|terminal|socket|checkpoints)\//,
  },
  { from: /^src\/runners\/host\//, never: /^src\/runners\/host-client\// },
  { from: /^src\/runners\/environments\//, never: /^src\/runners\/(?!environments\/)/ },
  { from: /^src\/ui\//, never: /^src\/runners\//, except: COMPOSITION },
  {
    from: /^src\/ui\//,
    // `ui/` may import the spawner, because the person's editor and the demo's helpers are started by it too; and the
    // one reader of files, because an agent may put a pipe in the place of its log.
    never: /^src\/core\/(doors\/(?!spawner\/|system\/regular-file\.ts)|store\/|operations\/|changesets\/)/,
    except: COMPOSITION,
  },
  { from: /^src\/ui\/screen\//, never: /^src\/ui\/cli\// },
  { from: /^src\/ui\/person\//, never: /^src\/ui\/(cli|screen)\// },
]

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/** These may have a default, because others define the values: runners' output, any character or word, zod's issues. */
const OPEN_SWITCHES: ReadonlySet<string> = new Set([
  'src/core/model/describe-issue.ts',
  'src/runners/claude/claude-stream.ts',
  'src/runners/codex/codex-items.ts',
  'src/runners/codex/codex-stream.ts',
  'src/ui/cli/complete.ts',
  'src/ui/screen/input/input-token.ts',
])

describe('the import fence', () => {
  it.each(sources)('holds for $path', ({ path, text }) => {
    const targets = importsOf(text)
      .filter((target) => target.startsWith('.'))
      .map((target) => relative('.', normalize(join(dirname(path), target))))
    const broken = FENCES.filter(
      (fence) => fence.from.test(path) && fence.except?.test(path) !== true,
    ).flatMap((fence) => targets.filter((target) => fence.never.test(target)))
    expect(broken).toEqual([])
  })

  it('keeps the model pure: it imports zod and itself', () => {
    const model = sources.filter(({ path }) => path.startsWith('src/core/model/'))
    const foreign = model.flatMap(({ path, text }) =>
      importsOf(text)
        .filter(
          (target) =>
            !target.startsWith('./') &&
            target !== 'zod/mini' &&
            target !== 'node:path' &&
            target !== 'node:crypto',
        )
        .map((target) => `${path} imports ${target}`),
    )
    expect(model.length).toBeGreaterThan(5)
    expect(foreign).toEqual([])
  })

  it('keeps the emulator in a room of its own, and out of the way of commands that open no terminal', () => {
    const room = sources.filter(({ path }) => path.startsWith('src/core/emulator/'))
    const foreign = room.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => !target.startsWith('./') && !target.startsWith('@xterm/'))
        .map((target) => `${path} imports ${target}`),
    )
    const eager = sources
      .filter(({ text }) => /^import (?!type)[^\n]*'@xterm\//m.test(text))
      .map(({ path }) => path)
    const elsewhere = sources
      .filter(({ path, text }) => !path.startsWith('src/core/emulator/') && /import\('@xterm\//.test(text))
      .map(({ path }) => path)
    expect(room.length).toBeGreaterThan(1)
    expect({ foreign, eager, elsewhere }).toEqual({ foreign: [], eager: [], elsewhere: [] })
  })

  it('starts processes in one room', () => {
    const room = 'src/core/doors/spawner/'
    const outside = sources.filter(({ path }) => !path.startsWith(room))
    const foreign = outside.flatMap(({ path, text }) => [
      ...importsOf(text)
        .filter((target) => /^((node:)?child_process|node-pty|execa|(node:)?cluster)$/.test(target))
        .map((target) => `${path} imports ${target}`),
      ...[...text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|execSync)\(/g)].map(
        ([call]) => `${path} says ${call}`,
      ),
    ])
    expect(outside.length).toBeLessThan(sources.length)
    expect(foreign).toEqual([])
  })

  it('has the operations touch files through the doors, which say what it means', () => {
    const operations = sources.filter(({ path }) => path.startsWith('src/core/operations/'))
    const foreign = operations.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => /^(node:)?fs(\/|$)/.test(target))
        .map((target) => `${path} imports ${target}`),
    )
    expect(operations.length).toBeGreaterThan(50)
    expect(foreign).toEqual([])
  })

  it('reads files by one reader, which waits for no pipe and fills no memory', () => {
    const reading =
      /\b(readFileSync|readSync|openSync|openAsBlob|createReadStream|copyFileSync|cpSync|opendirSync|readvSync)\(|\bfiles\.(readFile|open|copyFile|cp)\(/
    const around = sources.filter(({ text }) => reading.test(text)).map(({ path }) => path)
    expect(around.sort()).toEqual(
      [
        // These are the reader, and the file that is made exclusively or without waiting.
        'src/core/doors/git/scratch-index.ts',
        'src/core/doors/system/lock.ts',
        'src/core/doors/system/regular-file.ts',
        // Without waiting and without a link: bytes compared with others, and a mode put back.
        'src/core/changesets/worktree/restore/put-back-verbatim.ts',
        'src/core/doors/system/compare-files.ts',
        // The kernel's own files.
        'src/core/doors/system/file-holders.ts',
        'src/core/doors/system/plain-modes.ts',
        'src/core/doors/system/proc-table.ts',
        // Directories, which nobody waits for, and files that were looked at: the agent has ended by then.
        'src/core/changesets/worktree/remove/pack-up.ts',
        'src/core/doors/system/writable-directories.ts',
        'src/runners/host/inside/sandbox-check.ts',
        // Our own program.
        'src/core/v8/load-program.ts',
        // Terminals, /dev/null and pipes that were just made.
        'src/runners/host/inside/own-stdio.ts',
        'src/runners/host/inside/pipes.ts',
        'src/runners/host/terminal/paced-reading.ts',
        'src/runners/host/terminal/pty.ts',
        'src/ui/person/end-by-signal.ts',
        'src/ui/person/write-now.ts',
        'src/ui/screen/tty/late-replies.ts',
        // The person's own settings, and of these only files and directories.
        'src/runners/environments/run-home.ts',
        // What the person names or has just written, which may well be a pipe.
        'src/ui/cli/verbs/prompt.ts',
        'src/ui/screen/app/form-worker.ts',
      ].sort(),
    )
  })

  it('keeps nothing at the doors to git and to processes that one place could change for another', () => {
    const doors = sources.filter(({ path }) => /^src\/core\/doors\/(git|spawner)\//.test(path))
    const lasting = doors.filter(({ text }) => /^(export )?let /m.test(text)).map(({ path }) => path)
    expect(doors.length).toBeGreaterThan(5)
    expect(lasting).toEqual([])
  })

  it('keeps the way to a sandbox with its changeset and its host: all others may only speak of it', () => {
    const knowing = sources
      .filter(({ text }) => /\b(showPath|knownPath|knownLocation)\b/.test(text))
      .map(({ path }) => path)
      .filter((path) => !/^src\/(core\/changesets|runners\/host\/inside)\//.test(path))
      .sort()
    expect(knowing).toEqual([
      // This file defines the path, and turns it into text.
      'src/core/model/sandbox-path.ts',
      // These name it in words, to the person or to the agent that follows up.
      'src/core/operations/diagnosis/look-at-invocations.ts',
      'src/core/operations/invocations/follow-up.ts',
      // This asks which processes work there.
      'src/core/operations/invocations/kill-leftovers.ts',
      // This names it in a message.
      'src/core/operations/invocations/known-invocations.ts',
      // This tells the runner and the agent where they work.
      'src/core/operations/invocations/start-invocation.ts',
      // This names it to doctor and gc.
      'src/core/operations/sandboxes/left-trees.ts',
      // This compares it with the path that follows from the id.
      'src/core/store/invocations.ts',
      // These show it to the person.
      'src/ui/cli/verbs/start-agent.ts',
      'src/ui/cli/views/views.ts',
    ])
  })

  it('has only changesets make the location of a sandbox, at the place that the store keeps for it', () => {
    const making = sources
      .filter(({ text }) => /\bsandboxPath\(|\bsandboxDir\b.*['`/]tree\b/.test(text))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('src/core/changesets/'))
    expect(making).toEqual(['src/core/store/paths.ts'])
  })

  it('keeps blessed behind one door', () => {
    const foreign = sources
      .filter(({ text }) => importsOf(text).some((target) => /^blessed(\/|$)/.test(target)))
      .map(({ path }) => dirname(path))
    expect([...new Set(foreign)]).toEqual(['src/ui/screen/blessed'])
  })

  it('starts every file with a header that says why it exists', () => {
    const without = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S/.test(text)).map(({ path }) => path)
    expect(without).toEqual([])
  })

  it('handles every member of a union by name, so that a new one does not compile until it is handled', () => {
    const open = sources
      .filter(({ path }) => !OPEN_SWITCHES.has(path))
      .filter(({ text }) => /^ *default:(?!\s*unreachable\()/m.test(text))
      .map(({ path }) => path)
    expect(open).toEqual([])
  })
})

describe('names', () => {
  const twice = (names: readonly string[]): string[] => [
    ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
  ]

  it('exports no name twice', () => {
    const exported = sources.flatMap(({ text }) => [
      // A type may have the name of the value that it describes, so a name counts once in each file.
      ...new Set([...text.matchAll(EXPORTED)].flatMap((match) => match[1] ?? [])),
    ])
    expect(exported.length).toBeGreaterThan(1000)
    expect(twice(exported)).toEqual([])
  })

  it('calls no two files the same, but for those where processes begin', () => {
    const files = sources.map(({ path }) => basename(path)).filter((name) => name !== 'main.ts')
    expect(twice(files)).toEqual([])
  })
})
