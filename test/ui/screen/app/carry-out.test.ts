import { describe, expect, it } from 'vitest'
import type { Agency } from '../../../../src/core/facade/agency.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { carryOutVerb, type VerbOutcome } from '../../../../src/ui/screen/app/carry-out.ts'
import type { Verb } from '../../../../src/ui/screen/state/message.ts'
import { plainText, spansOf } from '../../../../src/ui/text/spans.ts'
import { type RecordingAgency, recordingAgency } from '../../../support/scene/recording-agency.ts'

const ID = '20260128120500-b7c9'
const LAND: Verb = { verb: 'land', id: ID, options: { apply: 'when_alone' } }

const wordsOf = (outcome: VerbOutcome): string[] =>
  'told' in outcome ? outcome.told.lines.map((line) => plainText([...spansOf(line)])) : []

const carry = (agency: Agency, verb: Verb): Promise<VerbOutcome> => carryOutVerb(agency, verb, () => {})

/** A landing throws `otherwise` unless this option is set. */
function landingOnly(option: 'apply' | 'commits_only', otherwise: AgencyError): RecordingAgency {
  const plain = recordingAgency()
  return recordingAgency({
    landInvocation: async (id, options) => {
      if (options?.[option] !== true) throw otherwise
      return plain.landInvocation(id, options)
    },
  })
}

describe('carrying a verb out', () => {
  it('tells what was landed and how to take it back', async () => {
    const outcome = await carry(recordingAgency(), LAND)
    expect(wordsOf(outcome)).toEqual(['landed b7c9 on my-feature: 1 commit'])
    expect(outcome).toMatchObject({ told: { offers: 'undo' } })
  })

  it('lands in one go, whatever the sandbox holds, as the core is told what to do with each', async () => {
    const agency = recordingAgency()
    await carry(agency, LAND)
    expect(agency.calls.map(({ verb, args }) => [verb, args[1]])).toEqual([
      ['landInvocation', { apply: 'when_alone' }],
    ])
  })

  it('asks where there are commits and uncommitted work, and offers a key for each way', async () => {
    const outcome = await carry(landingOnly('apply', new AgencyError('E_SANDBOX_DIRTY')), LAND)
    expect('ask' in outcome && outcome.ask.ways).toMatchObject([
      { key: 'a', commands: [{ verb: { verb: 'land', options: { apply: true } } }] },
      { key: 'c', commands: [{ verb: { verb: 'land', options: { commits_only: true } } }] },
    ])
  })

  it('says what went wrong, why, and what to do', async () => {
    const conflict = new AgencyError('E_LAND_CONFLICT', 'one file conflicts with the worktree: a.ts', {
      hint: 'do this',
    })
    const outcome = await carry(landingOnly('apply', conflict), LAND)
    expect(outcome).toMatchObject({ told: { level: 'failed' } })
    expect(wordsOf(outcome)).toEqual(['one file conflicts with the worktree: a.ts', 'do this'])
  })

  it('survives an error of any kind', async () => {
    const agency = recordingAgency({
      stopInvocation: async () => {
        throw new TypeError('of nothing')
      },
    })
    expect(wordsOf(await carry(agency, { verb: 'stop', id: ID }))).toEqual(['of nothing'])
  })

  it.each([
    [{ verb: 'discard', id: ID }, 'discarded b7c9'],
    [{ verb: 'stop', id: ID }, 'stopped b7c9; its work is as it was'],
    [{ verb: 'kill', id: ID }, 'killed b7c9; its work is as it was'],
    [{ verb: 'rename', id: ID, name: 'fixer' }, 'b7c9 is now called fixer'],
    [
      { verb: 'restore', id: ID, checkpoint: 2 },
      'restored b7c9 to checkpoint 2; what was there is checkpoint 3',
    ],
    [
      { verb: 'restore', id: ID, checkpoint: 3 },
      'restored b7c9 to checkpoint 3; its files were that already',
    ],
    [
      { verb: 'name_checkpoint', id: ID, checkpoint: 2, name: 'good' },
      'checkpoint 2 of b7c9 is now called good',
    ],
    [
      { verb: 'name_checkpoint', id: ID, checkpoint: 2, name: null },
      'checkpoint 2 of b7c9 has no name any more',
    ],
    [{ verb: 'undo' }, 'undone: landed b7c9 (claude) onto my-feature, 2 commits'],
    [{ verb: 'redo' }, 'done again: landed b7c9 (claude) onto my-feature, 2 commits'],
    [
      { verb: 'archive', id: 'w', force: false },
      'archived my-feature; its branch agency/my-feature-a3f2 stays',
    ],
  ] satisfies [Verb, string][])('puts %j into words', async (verb, words) => {
    expect(wordsOf(await carry(recordingAgency(), verb))[0]).toBe(words)
  })
})
