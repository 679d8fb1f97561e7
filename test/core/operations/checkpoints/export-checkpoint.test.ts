import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diffCheckpoint } from '../../../../src/core/operations/checkpoints/diff-checkpoint.ts'
import { exportCheckpoint } from '../../../../src/core/operations/checkpoints/export-checkpoint.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { makeScratch } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const exportTo = ({ repository, record }: Scene, path: string, checkpoint = 1) =>
  exportCheckpoint(repository, record, { checkpoint, to: { path } })

async function makeMoment(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', 'd/x': 'x\n' })
  shell(
    scene.tree,
    `chmod +x a; ln -s /etc/passwd l; ln -s .. d/up; echo n > "$(printf 'n\\nl')"; echo K > .env`,
  )
  await takeNow(scene.repository, scene.record)
  return scene
}

test('the files are those of the moment, links as links, and there is no git in it', async () => {
  const scene = await makeMoment()
  const { '.env': _, ...moment } = treeManifest(scene.tree)
  const path = join(makeScratch(), 'deep', 'new')
  const exported = await exportTo(scene, path)
  expect(exported).toEqual({ path, files: 5, notes: ['.env was left out of the checkpoint'] })
  expect(treeManifest(path)).toEqual(moment)
  expect(existsSync(join(path, '.git'))).toBe(false)
  mkdirSync(join(path, 'empty'))
  expect((await exportTo(scene, join(path, 'empty'))).files).toBe(5)
})

test('also of a sandbox that is gone', async () => {
  const scene = await makeMoment()
  await discardInvocation(scene.repository, scene.record, async (record) => record)
  const path = join(makeScratch(), 'new')
  await exportTo(scene, path)
  expect(readFileSync(join(path, 'a'), 'utf8')).toBe('a\n')
})

test('nothing that is there is written over or through', async () => {
  const scene = await makeMoment()
  const scratch = makeScratch()
  const at = (name: string): string => join(scratch, name)
  mkdirSync(at('full'))
  writeFileSync(at('full/mine'), 'mine\n')
  writeFileSync(at('file'), 'mine\n')
  mkdirSync(at('elsewhere'))
  symlinkSync(at('elsewhere'), at('link'))
  symlinkSync(at('nowhere'), at('dangling'))
  for (const name of ['full', 'file', 'link', 'dangling']) {
    expect(await refusal(exportTo(scene, at(name)))).toMatchObject({ code: 'E_EXPORT_TARGET', exitStatus: 4 })
  }
  expect(treeManifest(at('full'))).toEqual({ mine: 'file mine\n' })
  expect(treeManifest(at('elsewhere'))).toEqual({})
  expect(existsSync(at('nowhere'))).toBe(false)
})

test('one that fails leaves nothing', async () => {
  const scene = await makeMoment()
  const onStep = (): void => {
    throw new Error('stopped')
  }
  const repository = { ...scene.repository, effects: { ...scene.repository.effects, onStep } }
  const path = join(makeScratch(), 'new')
  await expect(exportTo({ ...scene, repository }, path)).rejects.toThrow('stopped')
  expect(existsSync(path)).toBe(false)
})

test('a diff is against the one before, the base, or what is there now', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record } = scene
  shell(scene.tree, 'echo one > one; git add .; git commit -qm one')
  await takeNow(repository, record)
  shell(scene.tree, 'echo two > two')
  await takeNow(repository, record)
  shell(scene.tree, 'rm one; echo K > .env')
  const diff = async (against: 'before' | 'base' | 'now', checkpoint = 2) => {
    const found = await diffCheckpoint(repository, record, { checkpoint, against, settings: SETTINGS })
    const files = found.files.map(({ kind, path, uncommitted }) => [kind, path, uncommitted])
    return { files, commits: found.commits.map(({ subject }) => subject) }
  }
  expect(await diff('before')).toEqual({ files: [['added', 'two', true]], commits: [] })
  expect(await diff('base')).toEqual({
    files: [
      ['added', 'one', false],
      ['added', 'two', true],
    ],
    commits: ['one'],
  })
  expect(await diff('now')).toEqual({ files: [['deleted', 'one', true]], commits: [] })
  expect(await diff('before', 1)).toEqual(await diff('base', 1))
})
