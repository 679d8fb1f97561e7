import { expect, test } from 'vitest'
import { AgencyError } from '../../../src/core/model/errors.ts'
import {
  asOurError,
  errnoInWords,
  isMachineFailure,
  machineError,
  ofMachine,
} from '../../../src/core/model/system-failure.ts'

const said = (code: string, syscall: string, path = '/data/x'): Error =>
  Object.assign(new Error(`${code}: something, ${syscall} '${path}'`), { code, syscall, path, errno: -1 })

test.each([
  ['ENOSPC', 'E_DISK_FULL'],
  ['EDQUOT', 'E_DISK_FULL'],
  ['EMFILE', 'E_TOO_MANY_FILES'],
  ['ENFILE', 'E_TOO_MANY_FILES'],
  ['ENOMEM', 'E_NO_MEMORY'],
  ['EIO', 'E_DISK_FAILED'],
  ['ESTALE', 'E_DISK_FAILED'],
  ['EUCLEAN', 'E_DISK_FAILED'],
  ['EMLINK', 'E_FILE_SYSTEM_LIMIT'],
  ['EFBIG', 'E_FILE_SYSTEM_LIMIT'],
  ['ENAMETOOLONG', 'E_FILE_SYSTEM_LIMIT'],
  ['EOPNOTSUPP', 'E_FILE_SYSTEM_LIMIT'],
  ['EROFS', 'E_DATA_UNWRITABLE'],
  ['EACCES', 'E_DATA_UNWRITABLE'],
  ['ENOENT', 'E_FILE_FAILED'],
  ['ENOTEMPTY', 'E_FILE_FAILED'],
  ['EBUSY', 'E_FILE_FAILED'],
  ['ETXTBSY', 'E_FILE_FAILED'],
])('what the system refuses by a number has a code of its own: %s', (errno, code) => {
  const ours = asOurError(said(errno, 'open'))
  expect(ours).toMatchObject({ code, message: expect.stringContaining('/data/x') })
  expect(ours.hint).not.toBe('')
})

test.each([
  ["fatal: Unable to create '/r/.git/index.lock': Too many open files", 'EMFILE'],
  ['fatal: cannot open: Too many open files in system', 'ENFILE'],
  ['fatal: mmap failed: Cannot allocate memory', 'ENOMEM'],
  ['fatal: Out of memory, malloc failed (tried to allocate 4096 bytes)', 'ENOMEM'],
  ['error: cannot fork() for pack-objects: Resource temporarily unavailable', 'EAGAIN'],
  ['fatal: unable to create threaded lstat: Resource temporarily unavailable', 'EAGAIN'],
  ['error: unable to write file x: Input/output error\nfatal: gave up', 'EIO'],
  ['fatal: write error: No space left on device', 'ENOSPC'],
  ["fatal: sha1 file '<stdout>' write error. Out of diskspace", 'ENOSPC'],
  ['error: file write error: File too large', 'EFBIG'],
  ['fatal: cannot lock ref: Read-only file system', 'EROFS'],
  ['error: unable to create file: Disk quota exceeded', 'EDQUOT'],
  ['fatal: cannot copy a template: Operation not permitted', 'EPERM'],
])('git says the same in words: %s', (words, errno) => {
  expect(errnoInWords(words)).toBe(errno)
})

test.each([
  "error: pathspec 'Too many open files.txt' did not match any file(s) known to git",
  'error: Your local changes to the following files would be overwritten:\n\tInput/output error of mine',
  "fatal: 'No space left on device/x' is outside repository",
])('a file that is called like a failure is none: %s', (words) => {
  expect(errnoInWords(words)).toBeNull()
})

test('what nobody has foreseen stays an error of ours', () => {
  for (const thrown of [new TypeError('x is undefined'), 'text', said('EBADF', 'read')]) {
    expect(asOurError(thrown).code).toBe('E_INTERNAL')
  }
  expect(machineError('ENOENT', 'x')).toBeNull()
})

test('numbers that Node has no name for are known too', () => {
  const unnamed = (errno: number) => Object.assign(said(`Unknown system error ${errno}`, 'open'), { errno })
  expect([-122, -116, -117, -1000].map((errno) => asOurError(unnamed(errno)).code)).toEqual([
    'E_DISK_FULL',
    'E_DISK_FAILED',
    'E_DISK_FAILED',
    'E_FILE_FAILED',
  ])
})

test('a program that cannot be started says so, and not that something could not be written', () => {
  const codes = ['EMFILE', 'ENOMEM', 'EAGAIN', 'ENFILE'].map((errno) =>
    asOurError(said(errno, 'spawn git', 'git')),
  )
  expect(codes.map(({ code }) => code)).toEqual([
    'E_TOO_MANY_FILES',
    'E_NO_MEMORY',
    'E_TOO_MANY_PROCESSES',
    'E_TOO_MANY_FILES',
  ])
  for (const { message } of codes) expect(message).toContain('could not start git')
})

test('a file system without links says that, and not that a permission is missing', () => {
  for (const syscall of ['link', 'symlink']) {
    expect(ofMachine(said('EPERM', syscall), '/x')).toMatchObject({ code: 'E_FILE_SYSTEM_LIMIT' })
  }
  expect(ofMachine(said('EPERM', 'unlink'), '/x')).toMatchObject({ code: 'E_DATA_UNWRITABLE' })
})

test('memory that JavaScript itself lacks counts too', () => {
  for (const message of ['Array buffer allocation failed', 'Invalid string length']) {
    expect(asOurError(new RangeError(message)).code).toBe('E_NO_MEMORY')
  }
})

test('a failing machine is no answer: what could not be looked at may be there', () => {
  const failed = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].map((errno) => isMachineFailure(said(errno, 'stat')))
  const answered = ['ENOENT', 'EACCES', 'ELOOP'].map((errno) => isMachineFailure(said(errno, 'stat')))
  expect({ failed, answered }).toEqual({
    failed: [true, true, true, true],
    answered: [false, false, false],
  })
})

test('an error of ours stays as it is', () => {
  const ours = new AgencyError('E_LOCKED', 'held')
  expect(asOurError(ours)).toBe(ours)
})
