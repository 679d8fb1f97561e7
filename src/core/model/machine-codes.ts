// The part of the table of errors that is about the machine: its limits, its memory, its disks, and where things were
// moved to.

import { type ErrorRow, EXIT } from './exit-status.ts'

export const MACHINE_CODES = {
  E_DATA_UNWRITABLE: {
    exit: EXIT.unavailable,
    title: 'The data directory cannot be written',
    hint: 'check its owner and mode, or set AGENCY_DATA_DIR',
  },
  E_TREE_UNWRITABLE: {
    exit: EXIT.unavailable,
    title: 'A file of the tree cannot be written',
    hint: 'look at it and at its directory (ls -ld, lsattr -d, findmnt -T), then try again',
  },
  E_TOO_MANY_FILES: {
    exit: EXIT.unavailable,
    title: 'Too many files are open',
    hint: 'allow more (ulimit -n 4096) or close other programs, then try again',
  },
  E_NO_MEMORY: {
    exit: EXIT.unavailable,
    title: 'There is not enough memory',
    hint: 'close other programs, or allow more (ulimit -v unlimited), then try again',
  },
  E_TOO_MANY_PROCESSES: {
    exit: EXIT.unavailable,
    title: 'No more processes can be started',
    hint: 'end other programs, or allow more (ulimit -u), then try again',
  },
  E_DISK_FAILED: {
    exit: EXIT.unavailable,
    title: 'The disk, or the server that holds it, failed',
    hint: 'look at the disk (dmesg, df -h), then: agency doctor',
  },
  E_FILE_SYSTEM_LIMIT: {
    exit: EXIT.unavailable,
    title: 'The file system cannot hold that',
    hint: 'look at ulimit -f, or set AGENCY_DATA_DIR to a directory on another disk',
  },
  E_FILE_FAILED: {
    exit: EXIT.unavailable,
    title: 'A file or directory could not be used',
    hint: 'try again; agency doctor says what is wrong',
  },
  E_DIRECTORY_GONE: {
    exit: EXIT.not_found,
    title: 'The directory is gone',
    hint: 'cd to a directory that is there; agency doctor says what is wrong',
  },
  E_REPOSITORY_MOVED: {
    exit: EXIT.refused,
    title: 'The repository or the data directory was moved',
    hint: 'agency doctor --fix brings along what is known of it',
  },
  E_HOST_BUSY: {
    exit: EXIT.unavailable,
    title: 'The process that keeps the runner alive has too many clients',
    hint: 'close some of the terminals that show this agent, then try again',
  },
} as const satisfies Record<string, ErrorRow>
