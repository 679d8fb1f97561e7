import { type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Landing } from '../../src/core/facade/agency.ts'
import { git, writeFiles } from '../support/git/repository.ts'
import { makeDesk } from '../support/processes/cli.ts'

const AGENTS = 10

/** More than a thousand files in folders, as a middling project has. */
const project = Object.fromEntries(
  Array.from({ length: 1200 }, (_, i) => [
    `src/part-${i % 30}/file-${i}.txt`,
    `line one of ${i}\nline two\n`,
  ]),
)

/** Every agent commits a file of its own. Three also rewrite the same line, so that only one of the three can land. */
const script = (agent: number): string => `
  echo "agent ${agent}" > agent-${agent}.txt
  if [ ${agent % 4} = 0 ]; then echo "line one by ${agent}" > src/part-0/file-0.txt; fi
  git add -A && git commit -qm "Work of agent ${agent}"
`

/** Notes the paths that are written below `tree`, but not git's and ours. */
function watchTree(tree: string): { seen: string[]; watcher: FSWatcher } {
  const seen: string[] = []
  const watcher = watch(tree, { recursive: true }, (_event, path) => {
    if (path !== null && !path.startsWith(`.agency${sep}`) && path !== '.git') seen.push(path)
  })
  onTestFinished(() => watcher.close())
  return { seen, watcher }
}

describe('ten agents started at once in processes of their own', () => {
  it('work in ten sandboxes, and land or report a conflict; nothing else ever writes the integration tree', async () => {
    const desk = makeDesk(project)
    writeFiles(desk.root, { 'src/part-1/file-1.txt': 'my own edit\n', 'mine.txt': 'untracked\n' })
    git(desk.root, 'add', 'mine.txt')
    const ownIndex = readFileSync(join(desk.root, '.git/index'))
    const ownStatus = git(desk.root, 'status', '--porcelain')
    const worktree = await desk.worktree('feature')
    const { seen } = watchTree(worktree.tree_path)

    const starts = Array.from({ length: AGENTS }, (_, agent) => desk.start('feature', script(agent)))
    const records = await Promise.all(starts)
    expect(new Set(records.map((record) => record.sandbox_path)).size).toBe(AGENTS)
    for (const { invocation_id } of records) {
      expect(await desk.run(['agent', 'wait', invocation_id])).toMatchObject({ exitCode: 0 })
    }
    expect(seen).toEqual([])

    const landed: string[] = []
    const conflicts: string[] = []
    for (const { invocation_id } of records) {
      const before = git(worktree.tree_path, 'rev-parse', 'HEAD')
      const ran = await desk.run(['agent', 'land', invocation_id, '--json'])
      const answer = JSON.parse(ran.stdout)
      if (answer.ok === true) {
        landed.push(invocation_id)
        expect((answer.data as Landing).from).toBe(before)
      } else {
        conflicts.push(invocation_id)
        expect(ran.exitCode).toBe(5)
        expect(answer.error).toMatchObject({ code: 'E_LAND_CONFLICT' })
        expect(JSON.stringify(answer.error)).toContain('src/part-0/file-0.txt')
        expect(git(worktree.tree_path, 'rev-parse', 'HEAD')).toBe(before)
      }
      expect(git(worktree.tree_path, 'status', '--porcelain')).toBe('')
    }
    expect([landed.length, conflicts.length]).toEqual([8, 2])

    const written = new Set(git(worktree.tree_path, 'diff', '--name-only', 'main', 'HEAD').split('\n'))
    const strangers = seen.filter(
      (path) => ![...written].some((file) => file === path || file.startsWith(`${path}/`)),
    )
    expect(strangers.filter((path) => !/(^|\/)\S*\.lock$/.test(path))).toEqual([])
    expect(git(desk.root, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
    expect(readFileSync(join(desk.root, '.git/index')).equals(ownIndex)).toBe(true)
    expect(git(desk.root, 'status', '--porcelain')).toBe(ownStatus)
    expect(readdirSync(join(desk.root, '.git/worktrees'))).toHaveLength(1 + conflicts.length)
  })
})
