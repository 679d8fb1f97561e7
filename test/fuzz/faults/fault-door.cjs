// Required into a verb under test where no preloaded library can be had, and where a kill has to be at the same place each
// time. At the N-th change of a file, or start of a process, the call fails or the process group is killed.
// Environment: FUZZ_NTH, FUZZ_ERRNO (a name; none: kill), FUZZ_LASTS.

const fs = require('node:fs')
const children = require('node:child_process')
const { errno } = require('node:os').constants

const FILE_CALLS = [
  ...[
    'open',
    'write',
    'writev',
    'writeFile',
    'appendFile',
    'rename',
    'fsync',
    'fdatasync',
    'link',
    'symlink',
  ],
  ...['mkdir', 'rmdir', 'unlink', 'rm', 'truncate', 'ftruncate', 'chmod', 'utimes', 'copyFile'],
]

const { FUZZ_NTH, FUZZ_ERRNO, FUZZ_LASTS } = process.env
const nth = Number(FUZZ_NTH)
let count = 0

/** Returns the error that the call is to end with, if any. */
function strike(syscall) {
  count += 1
  if (count !== nth && !(FUZZ_LASTS === '1' && count > nth)) return null
  if (!FUZZ_ERRNO) process.kill(0, 'SIGKILL')
  const message = `${FUZZ_ERRNO}: injected, ${syscall}`
  return Object.assign(new Error(message), { code: FUZZ_ERRNO, errno: -errno[FUZZ_ERRNO], syscall })
}

for (const name of FILE_CALLS) {
  patch(fs, `${name}Sync`, (error) => {
    throw error
  })
  patch(fs, name, (error, args) => queueMicrotask(() => args.at(-1)(error)))
  patch(fs.promises, name, (error) => Promise.reject(error))
}
for (const name of ['spawn', 'spawnSync']) {
  patch(children, name, (error) => {
    throw error
  })
}

function patch(door, name, fail) {
  const real = door[name]
  if (typeof real !== 'function') return
  door[name] = (...args) => {
    const error = strike(name)
    return error === null ? real.apply(door, args) : fail(error, args)
  }
}
