// Makes repositories and data directories to measure in, quickly. They are kept until the whole run has ended, because
// deleting a hundred thousand files slows the disk for what is measured next.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const PROGRAM = resolve('dist/agency.js')

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'agency-bench-')))
// The retries are for hosts that were told to end a moment ago, and still write their last lines.
process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

let made = 0
export const freshPath = (name: string): string => join(scratch, `${name}-${made++}`)

export interface Bench {
  /** Path of the built program that is measured. */
  readonly program: string
  readonly root: string
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  git(...args: string[]): string
  /** Runs the built program, and returns its standard output. Throws if it fails. */
  agency(...args: string[]): string
}

/** `files` files of about a kilobyte, a hundred to a directory, in one commit on `main`. */
export function makeBench(files: number, program = PROGRAM): Bench {
  const root = freshPath(`repo-${files}`)
  const dataDir = freshPath('data')
  mkdirSync(root)
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.com')
  importFiles(root, files)
  git('reset', '-q', '--hard')
  const env = { ...process.env, AGENCY_DATA_DIR: dataDir, XDG_RUNTIME_DIR: scratch }
  return withProgram({ root, dataDir, env, git }, program)
}

/** The same place with another build of the program. */
export const withProgram = (place: Omit<Bench, 'program' | 'agency'>, program: string): Bench => ({
  ...place,
  program,
  agency: (...args) =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: place.root,
      env: place.env,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    }),
})

/** Path of the n-th file from the root. A directory holds a hundred files. */
export const filePath = (n: number): string =>
  `dir-${Math.floor(n / 100) % 100}/sub-${Math.floor(n / 10_000)}/file-${n}.txt`

function importFiles(root: string, files: number): void {
  const body = 'All work and no play makes a file of about one kilobyte.\n'.repeat(17)
  const parts = [
    'commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nStart\n',
  ]
  for (let n = 0; n < files; n++) {
    const text = `file ${n}\n${body}`
    parts.push(`M 100644 inline ${filePath(n)}\ndata ${text.length}\n${text}\n`)
  }
  const done = spawnSync('git', ['fast-import', '--quiet'], {
    cwd: root,
    input: parts.join(''),
    maxBuffer: 2 ** 30,
  })
  if (done.status !== 0) throw new Error(`git fast-import: ${String(done.stderr)}`)
}
