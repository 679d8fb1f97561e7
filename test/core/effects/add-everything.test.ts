import { expect, test } from 'vitest'
import { readComplaints } from '../../../src/core/effects/add-everything.ts'

test('what git says that it left out is told apart: held by nobody, or worth another look', () => {
  const { incomplete, retry } = readComplaints(
    [
      "error: 'nested/' does not have a commit checked out",
      "error: unable to index file 'nested/'",
      "warning: could not open directory 'closed dir/': Permission denied",
      'error: open("secret"): Permission denied',
      "error: unable to index file 'secret'",
      'error: pipe: can only add regular files, symbolic links or git-directories',
      'warning: in the working copy of x, LF will be replaced by CRLF the next time Git touches it',
    ].join('\n'),
  )
  expect(incomplete).toEqual(['nested', 'closed dir'])
  expect(retry).toEqual(['secret', 'pipe'])
})
