// From what the operating system says, by a number or in git's words, to an error of ours. The only such table: files,
// processes, sockets and git all go through it.

import type { ErrorCode } from './error-codes.ts'
import { AgencyError, type ErrorOptions } from './errors.ts'

interface Failure {
  readonly code: ErrorCode
  readonly why: string
  /** How the C library says it, as git repeats it. */
  readonly words?: readonly string[]
}

const FAILURES: Readonly<Record<string, Failure>> = {
  ENOSPC: {
    code: 'E_DISK_FULL',
    why: 'the disk is full',
    words: ['No space left on device', 'Out of diskspace'],
  },
  EDQUOT: { code: 'E_DISK_FULL', why: 'your quota is used up', words: ['Disk quota exceeded'] },
  EROFS: {
    code: 'E_DATA_UNWRITABLE',
    why: 'the file system is read-only',
    words: ['Read-only file system'],
  },
  EACCES: { code: 'E_DATA_UNWRITABLE', why: 'no permission', words: ['Permission denied'] },
  EPERM: { code: 'E_DATA_UNWRITABLE', why: 'no permission', words: ['Operation not permitted'] },
  EMFILE: {
    code: 'E_TOO_MANY_FILES',
    why: 'this process may not open more files',
    words: ['Too many open files'],
  },
  ENFILE: {
    code: 'E_TOO_MANY_FILES',
    why: 'the system cannot open more files',
    words: ['Too many open files in system'],
  },
  ENOMEM: {
    code: 'E_NO_MEMORY',
    why: 'there is not enough memory',
    words: ['Cannot allocate memory', 'Out of memory(?:,? .*)?'],
  },
  EAGAIN: {
    code: 'E_TOO_MANY_PROCESSES',
    why: 'the system starts no more processes or threads',
    words: ['Resource temporarily unavailable', 'unable to create (?:.*)?thread(?:.*)?'],
  },
  EIO: { code: 'E_DISK_FAILED', why: 'the disk failed', words: ['Input/output error'] },
  EUCLEAN: {
    code: 'E_DISK_FAILED',
    why: 'the file system is damaged',
    words: ['Structure needs cleaning'],
  },
  EBADMSG: { code: 'E_DISK_FAILED', why: 'the file system is damaged', words: ['Bad message'] },
  ENODEV: { code: 'E_DISK_FAILED', why: 'the disk is gone', words: ['No such device'] },
  ENXIO: { code: 'E_DISK_FAILED', why: 'the disk is gone', words: ['No such device or address'] },
  ESTALE: {
    code: 'E_DISK_FAILED',
    why: 'the file server has lost it',
    words: ['Stale (?:NFS )?file handle'],
  },
  EREMOTEIO: { code: 'E_DISK_FAILED', why: 'the file server failed', words: ['Remote I/O error'] },
  EHOSTDOWN: { code: 'E_DISK_FAILED', why: 'the file server is down', words: ['Host is down'] },
  EFBIG: { code: 'E_FILE_SYSTEM_LIMIT', why: 'the file would be too large', words: ['File too large'] },
  EMLINK: { code: 'E_FILE_SYSTEM_LIMIT', why: 'it has too many links', words: ['Too many links'] },
  ENAMETOOLONG: { code: 'E_FILE_SYSTEM_LIMIT', why: 'the name is too long', words: ['File name too long'] },
  ELOOP: {
    code: 'E_FILE_SYSTEM_LIMIT',
    why: 'too many symbolic links',
    words: ['Too many levels of symbolic links'],
  },
  EOVERFLOW: {
    code: 'E_FILE_SYSTEM_LIMIT',
    why: 'a number is too large',
    words: ['Value too large for defined data type'],
  },
  EOPNOTSUPP: {
    code: 'E_FILE_SYSTEM_LIMIT',
    why: 'the file system cannot do that',
    words: ['Operation not supported'],
  },
  ENOTSUP: { code: 'E_FILE_SYSTEM_LIMIT', why: 'the file system cannot do that' },
  ENOSYS: {
    code: 'E_FILE_SYSTEM_LIMIT',
    why: 'the system cannot do that',
    words: ['Function not implemented'],
  },
  EXDEV: {
    code: 'E_FILE_SYSTEM_LIMIT',
    why: 'it lies on another disk',
    words: ['Invalid cross-device link'],
  },
  SIGXFSZ: { code: 'E_FILE_SYSTEM_LIMIT', why: 'a file would be larger than ulimit -f allows' },
}

/** git repeats them at the end of a line. So a file that is called the same seldom counts. */
const IN_WORDS: ReadonlyArray<{ readonly said: RegExp; readonly errno: string }> = Object.entries(
  FAILURES,
).flatMap(([errno, { words = [] }]) =>
  words.map((word) => ({ said: new RegExp(`(?:^|[:.,] )${word}[.']?$`, 'm'), errno })),
)

/** Which of these git complains of; null for none. */
export const errnoInWords = (said: string): string | null =>
  IN_WORDS.find((row) => row.said.test(said))?.errno ?? null

/** `doing` is what could not be done, as in 'could not start git'. null where the number says nothing of the machine. */
export function machineError(errno: string, doing: string, options: ErrorOptions = {}): AgencyError | null {
  const failure = FAILURES[errno]
  if (failure === undefined) return null
  return new AgencyError(failure.code, `${doing}: ${failure.why}`, options)
}

/** The machine had no more to give. Whatever was asked remains unknown, and another try may go better. */
const OF_THE_MOMENT: ReadonlySet<ErrorCode> = new Set([
  'E_DISK_FULL',
  'E_TOO_MANY_FILES',
  'E_NO_MEMORY',
  'E_TOO_MANY_PROCESSES',
])

export const isOfTheMoment = (code: ErrorCode): boolean => OF_THE_MOMENT.has(code)

interface SystemError extends Error {
  readonly code: string
  readonly errno?: number
  readonly syscall?: string
  readonly path?: string
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Whether the machine has failed, so that a missing answer does not mean that nothing is there. */
export function isMachineFailure(error: unknown): boolean {
  const code = isSystemError(error) ? FAILURES[errnoOf(error)]?.code : undefined
  return code !== undefined && (isOfTheMoment(code) || code === 'E_DISK_FAILED')
}

/** Node has no names for these, of Linux and of macOS, and says 'Unknown system error -122'. */
const UNNAMED: Readonly<Record<number, string>> = {
  [-122]: 'EDQUOT',
  [-69]: 'EDQUOT',
  [-116]: 'ESTALE',
  [-70]: 'ESTALE',
  [-117]: 'EUCLEAN',
  [-121]: 'EREMOTEIO',
}

const errnoOf = ({ code, errno }: SystemError): string =>
  code.startsWith('Unknown system error') ? (UNNAMED[errno ?? 0] ?? code) : code

const READING = /^(read|scandir|opendir|l?stat|fstat|readlink|realpath|access|statfs)$/
const STARTING = /^(spawn|fork|uv_spawn)/
const LINKING = /^(link|symlink)$/

/**
 * Turns what the machine's limits, disks and permissions make fail into an error that says so; everything else comes back
 * as it is. `about` is the path to name where the error names none.
 */
export function ofMachine(error: unknown, about: string): unknown {
  if (isOutOfMemory(error)) return machineError('ENOMEM', 'could not go on', { cause: error })
  if (!isSystemError(error)) return error
  const { syscall = '', path = about } = error
  const code = errnoOf(error)
  if (STARTING.test(syscall)) {
    return machineError(code, `could not start ${path}`, { cause: error }) ?? error
  }
  if (code === 'EAGAIN') return error
  const doing = `could not ${READING.test(syscall) ? 'read' : 'write'} ${path}`
  // A file system without links says that they are not permitted.
  if (code === 'EPERM' && LINKING.test(syscall)) {
    return new AgencyError('E_FILE_SYSTEM_LIMIT', `${doing}: its file system has no links`, { cause: error })
  }
  return machineError(code, doing, { cause: error }) ?? error
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(Array buffer allocation failed|Invalid (string|typed array|array buffer) length)/.test(error.message) ||
    ('code' in error &&
      /^ERR_(MEMORY_ALLOCATION_FAILED|STRING_TOO_LONG|WORKER_OUT_OF_MEMORY)$/.test(`${error.code}`)))

/** The same, and whatever else the system says of a file is an error of ours too. Only accidents of ours come back. */
export function ofSystem(error: unknown, about: string): unknown {
  const ours = ofMachine(error, about)
  if (!isSystemError(ours) || ours.syscall === undefined || OUR_OWN.test(ours.code)) return ours
  const { path = about, syscall, code } = ours
  return new AgencyError('E_FILE_FAILED', `could not use ${path}: ${syscall} says ${code}`, { cause: ours })
}

/** Such a number means that we asked for what makes no sense. */
const OUR_OWN = /^(EBADF|EFAULT|EPIPE|ERR_.*)$/

/** Whatever was thrown, as one of ours; E_INTERNAL for what nobody has foreseen. */
export function asOurError(thrown: unknown, about = 'a file'): AgencyError {
  const ours = ofSystem(thrown, about)
  if (ours instanceof AgencyError) return ours
  const message = ours instanceof Error ? ours.message : String(ours)
  return new AgencyError('E_INTERNAL', message, { cause: thrown })
}
