import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatCommit,
  formatIdent,
  parseCommit,
  parseCommitBatch,
} from '../../../src/core/model/commit-object.ts'
import { parseObjectId } from '../../../src/core/model/ids.ts'

const TREE = parseObjectId('a'.repeat(40))
const PARENT = parseObjectId('b'.repeat(40))

describe('a commit object', () => {
  test('comes back byte for byte from what is written', () => {
    const bytes = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    })
    const line = bytes.map((text) => text.replace(/[\n\0]/g, ''))
    fc.assert(
      fc.property(line, fc.option(line), bytes, (author, encoding, message) => {
        const commit = { tree: TREE, parents: [PARENT], author, encoding, message }
        expect(parseCommit(formatCommit(commit, 'C <c> 1 +0000').toString('latin1'))).toEqual(commit)
      }),
    )
  })

  test('loses its signature, also where the signature looks like a header', () => {
    const raw = `tree ${TREE}\nauthor A <a> 1 +0000\ncommitter C <c> 1 +0000\ngpgsig -----BEGIN\n author X <x> 2 +0000\n \n -----END\nmergetag object x\n\nHello\n\nauthor not me\n`
    const commit = parseCommit(raw)
    expect(commit).toMatchObject({ author: 'A <a> 1 +0000', message: 'Hello\n\nauthor not me\n' })
    expect(formatCommit(commit, 'P <p> 3 +0000').toString()).not.toContain('gpgsig')
  })

  test('is read from a batch, one after another', () => {
    const body = `tree ${TREE}\nauthor A <a> 1 +0000\ncommitter C <c> 1 +0000\n\nHi\n`
    const output = Buffer.from([TREE, PARENT].map((id) => `${id} commit ${body.length}\n${body}\n`).join(''))
    expect([...parseCommitBatch(output).keys()]).toEqual([TREE, PARENT])
  })

  test('that is missing is an error', () => {
    expect(() => parseCommitBatch(Buffer.from(`${TREE} missing\n`))).toThrow('is no commit here')
  })
})

describe('an identity', () => {
  const at = new Date('2026-01-28T12:00:00Z')

  test('is written as git writes it, in bytes', () => {
    expect(formatIdent({ name: 'Jörg', email: 'j@example.com' }, at)).toBe(
      'J\xc3\xb6rg <j@example.com> 1769601600 +0000',
    )
  })

  test('cannot break out of its line', () => {
    expect(formatIdent({ name: 'A <b>\nparent x', email: '<m>' }, at)).toBe(
      'A bparent x <m> 1769601600 +0000',
    )
  })
})
