import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/doors/system/system-clock.ts'
import { repoRecordSchema } from '../../../src/core/model/repo.ts'
import { readRecord } from '../../../src/core/store/record-file.ts'
import { type Repository, touchRepository } from '../../../src/core/store/repository.ts'
import { makeWorld } from '../../support/scene/world.ts'

const usedAt = ({ paths }: Repository): string | undefined =>
  readRecord(paths.record, repoRecordSchema)?.last_used_at

test('a use is written down, and others within the same minute are not', async () => {
  const { repository } = await makeWorld()
  const first = Date.parse(usedAt(repository) ?? '')
  const useAfter = async (milliseconds: number): Promise<number> => {
    const clock = { ...systemClock, now: () => new Date(first + milliseconds) }
    await touchRepository({ ...repository, effects: { ...repository.effects, clock } })
    return Date.parse(usedAt(repository) ?? '') - first
  }
  expect(await useAfter(59_000)).toBe(0)
  expect(await useAfter(61_000)).toBe(61_000)
  expect(await useAfter(100_000)).toBe(61_000)
  // The clock was set back.
  expect(await useAfter(-3_600_000)).toBe(-3_600_000)
})
