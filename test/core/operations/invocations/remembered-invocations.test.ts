import { rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { rememberInvocations } from '../../../../src/core/operations/invocations/remembered-invocations.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { makeScene } from '../../../support/scene/sandbox.ts'

test('a record is the same object until it is written', async () => {
  const { repository, record } = await makeScene()
  const id = record.invocation_id
  const inspect = rememberInvocations(repository.paths)
  const first = inspect(id)
  expect(first).toEqual(record)
  expect(inspect(id)).toBe(first)
  await updateInvocation(repository.paths, id, { invocation_name: 'another' })
  expect(inspect(id)).toMatchObject({ invocation_name: 'another' })
})

test('a record that was remembered is broken as soon as its sandbox or its text is', async () => {
  const { repository, record, tree } = await makeScene()
  const id = record.invocation_id
  const inspect = rememberInvocations(repository.paths)
  inspect(id)
  rmSync(tree, { recursive: true })
  expect(inspect(id)).toMatchObject({ broken: true, reason: `its sandbox is missing: ${tree}` })
  writeFileSync(repository.paths.invocation(id).meta, '{')
  expect(inspect(id)).toMatchObject({ broken: true, record: null })
})

test('a record that is gone is forgotten', async () => {
  const { repository, record } = await makeScene()
  const inspect = rememberInvocations(repository.paths)
  inspect(record.invocation_id)
  rmSync(repository.paths.invocation(record.invocation_id).dir, { recursive: true })
  rmSync(showPath(record.sandbox_path), { recursive: true })
  expect(inspect(record.invocation_id)).toBe(null)
})
