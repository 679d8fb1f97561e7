// What a state holds beside its tree, so that each byte and each mode comes back: a second tree. Under `files/` lie the
// bytes, as they were, of just those files that git's filters would bring back otherwise. `modes` lists files and
// directories with modes that git cannot say, and directories that hold nothing: `100600 path` or `040700 path`, each
// ended by NUL. Paths are raw. Pure.

export const VERBATIM_FILES = 'files'
export const VERBATIM_MODES = 'modes'

/** The whole `st_mode` by path. */
export type Modes = ReadonlyMap<string, number>

const KIND = 0o170000
const DIRECTORY = 0o040000
const PERMISSIONS = 0o7777

/** A file that no tree holds is made as one that nobody can run. */
export const PLAIN_FILE = 0o100644

export const isDirectoryMode = (mode: number): boolean => (mode & KIND) === DIRECTORY
export const permissionsOf = (mode: number): number => mode & PERMISSIONS

export const formatModes = (modes: Modes): Buffer =>
  Buffer.from(
    [...modes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, mode]) => `${mode.toString(8).padStart(6, '0')} ${path}\0`)
      .join(''),
    'latin1',
  )

const LINE = /^([0-7]{6}) (.+)$/s

/** Lines that are not understood are left out. */
export const parseModes = (bytes: Buffer): Modes =>
  new Map(
    bytes
      .toString('latin1')
      .split('\0')
      .flatMap((line) => {
        const [, mode, path] = LINE.exec(line) ?? []
        return mode !== undefined && path !== undefined ? [[path, Number.parseInt(mode, 8)] as const] : []
      }),
  )

/** How a check-out sets modes: by the umask, and as its own directory's group is inherited. */
export interface PlainModes {
  readonly umask: number
  /** The group bit that directories inherit, or 0. */
  readonly inherited: number
}

const OWNER_MAY_RUN = 0o100

/** The permissions that a check-out would give to a file or directory with this mode. */
export const plainPermissions = (mode: number, { umask, inherited }: PlainModes): number =>
  isDirectoryMode(mode)
    ? (0o777 & ~umask) | inherited
    : ((mode & OWNER_MAY_RUN) === 0 ? 0o666 : 0o777) & ~umask

export const isPlainMode = (mode: number, plain: PlainModes): boolean =>
  permissionsOf(mode) === plainPermissions(mode, plain)
