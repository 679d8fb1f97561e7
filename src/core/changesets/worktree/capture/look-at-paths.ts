// What lies at paths that are said to have changed: which are files, what became of directories, what is gone. No link
// is followed, and nothing inside a nested repository is looked at.

import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { isErrno, LONGEST_PATH, lstatIfThere } from '../../../doors/system/files.ts'
import { MARKER_DIR } from '../../../model/markers.ts'
import { mayBeRefused } from '../../../model/refused-name.ts'

export interface LookedAt {
  /** Regular files and links that are there. */
  readonly present: ReadonlyMap<string, Stats>
  /**
   * To be taken out before anything is put in: paths that are gone, and directories whose files are all listed anew.
   */
  readonly gone: readonly string[]
}

export interface LookRequest {
  readonly tree: string
  readonly paths: Iterable<string>
  /** Nested repositories and the like that are known already: changes inside of them do not matter. */
  readonly apart: ReadonlySet<string>
  /** If there are more files, the answer is null. */
  readonly limit: number
}

/** null where only a look at the whole tree can tell: too many files, special files, or new repositories. */
export function lookAtPaths(request: LookRequest): LookedAt | null {
  try {
    const look = new PathLook(request)
    for (const path of request.paths) look.at(path)
    return look
  } catch (error) {
    if (error === NOT_THIS_WAY || UNREADABLE.some((code) => isErrno(error, code))) return null
    throw error
  }
}

const NOT_THIS_WAY = new Error('these paths need a look at the whole tree')
const UNREADABLE = ['EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'EIO'] as const
/** A change of one of these can change what holds for files that are not among the changed ones. */
const RULES = new Set(['.gitignore', '.gitattributes', '.gitmodules'])

class PathLook implements LookedAt {
  readonly present = new Map<string, Stats>()
  readonly gone: string[] = []
  private readonly directories = new Map<string, 'real' | 'none' | 'apart'>()
  private readonly request: LookRequest

  constructor(request: LookRequest) {
    this.request = request
  }

  at(path: string): void {
    const parts = path.split('/')
    if (parts.includes('.git') || parts[0] === MARKER_DIR || path === '') return
    if (RULES.has(parts.at(-1) ?? '') || this.isDoubtful(path) || this.holdsApart(path)) throw NOT_THIS_WAY
    const inside = this.kindOf(parts.slice(0, -1).join('/'))
    if (inside === 'apart') return
    const there = inside === 'real' ? lstatIfThere(`${this.request.tree}/${path}`) : null
    if (there === null) this.addGone(path)
    else if (there.isDirectory()) this.lookThrough(path)
    else this.addFile(path, there)
  }

  private addFile(path: string, there: Stats): void {
    if (!there.isFile() && !there.isSymbolicLink()) throw NOT_THIS_WAY
    this.present.set(path, there)
    this.addGone(path)
  }

  private addGone(path: string): void {
    this.gone.push(path)
    if (this.gone.length > this.request.limit) throw NOT_THIS_WAY
  }

  /** Lists every file in it anew, because a directory that is moved here is reported once, without its files. */
  private lookThrough(path: string): void {
    this.addGone(path)
    const entries = readdirSync(`${this.request.tree}/${path}`, { withFileTypes: true })
    for (const { name } of entries) {
      const inside = `${path}/${name}`
      if (name === '.git' || RULES.has(name) || this.isDoubtful(inside)) throw NOT_THIS_WAY
      const there = lstatSync(`${this.request.tree}/${inside}`)
      if (there.isDirectory()) this.lookThrough(inside)
      else this.addFile(inside, there)
    }
  }

  /** A name that reached us damaged, that git may refuse, or that we cannot look at although git can. */
  private isDoubtful(path: string): boolean {
    const length = Buffer.byteLength(this.request.tree) + 1 + Buffer.byteLength(path)
    return path.includes('\ufffd') || length >= LONGEST_PATH || mayBeRefused(path)
  }

  private holdsApart(path: string): boolean {
    for (const apart of this.request.apart) if (apart === path || apart.startsWith(`${path}/`)) return true
    return false
  }

  private kindOf(directory: string): 'real' | 'none' | 'apart' {
    if (directory === '') return 'real'
    const known = this.directories.get(directory)
    if (known !== undefined) return known
    const kind = this.lookAtDirectory(directory)
    this.directories.set(directory, kind)
    return kind
  }

  private lookAtDirectory(directory: string): 'real' | 'none' | 'apart' {
    const above = this.kindOf(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))))
    if (above !== 'real') return above
    if (this.request.apart.has(directory)) return 'apart'
    const full = `${this.request.tree}/${directory}`
    if (lstatIfThere(full)?.isDirectory() !== true) return 'none'
    if (lstatIfThere(`${full}/.git`) !== null) throw NOT_THIS_WAY
    return 'real'
  }
}
