import { describe, expect, test } from 'vitest'
import { checkpointRecord, FINISHED, invocationRecord } from '../../../support/records/records.ts'
import { parseEnvelope, runCli } from '../../../support/scene/command-line.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

describe('checkpoint ls', () => {
  test('shows when, why and how much, oldest first', async () => {
    const ran = await runCli(['checkpoint', 'ls', 'b7c9'])
    expect(ran).toMatchObject({ status: 0, err: '' })
    expect(ran.out).toMatchInlineSnapshot(`
      "N  AGE  WHY            CHANGES
      1   2m  after a pause  +42 -15 in 3 files
      2   2m  turn 3         +42 -15 in 3 files
      "
    `)
  })

  test('keeps to 80 columns, whatever it has to tell', async () => {
    const long = {
      id: 12,
      name: 'before the rewrite of the whole parser, with all tests passing',
      excluded: ['.env'],
    }
    const agency = recordingAgency({
      listCheckpoints: async () => ({
        invocation: invocationRecord(FINISHED),
        checkpoints: [
          checkpointRecord(),
          checkpointRecord({ ...long, diffstat: '+12345 -6789 in 1234 files', incomplete: ['pipe'] }),
        ],
      }),
    })
    const { out } = await runCli(['checkpoint', 'ls', 'b7c9'], {
      agency,
      terminal: 80,
      env: { NO_COLOR: '1' },
    })
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(out).toMatchInlineSnapshot(`
      " N  AGE  WHY            CHANGES                     NOTE           NAME
       1   2m  after a pause  +42 -15 in 3 files                         
      12   2m  after a pause  +12345 -6789 in 1234 files  1 file left …  before the r…
      "
    `)
  })

  test('says how to take the first one', async () => {
    const agency = recordingAgency({
      listCheckpoints: async () => ({ invocation: invocationRecord(FINISHED), checkpoints: [] }),
    })
    expect((await runCli(['checkpoint', 'ls', 'b7c9'], { agency })).out).toBe(
      'No checkpoint yet. They are taken while the agent works, when its files have\n' +
        'changed, and at its exit. Take one now:\n  agency checkpoint create b7c9\n',
    )
  })

  test('is the records in --json', async () => {
    const { data } = parseEnvelope(await runCli(['checkpoint', 'ls', 'b7c9', '--json']))
    expect(data).toMatchObject({ checkpoints: [{ id: 1, diffstat: '+42 -15 in 3 files' }, { id: 2 }] })
  })
})

describe('which checkpoint is meant', () => {
  test.each([
    ['show b7c9 3', ['b7c9', 3]],
    ['show b7c9@3', ['b7c9', 3]],
    ['show --invocation b7c9 3', ['b7c9', 3]],
    ['show b7c9', ['b7c9', 2]],
  ])('checkpoint %s', async (line, expected) => {
    const agency = recordingAgency()
    await runCli(['checkpoint', ...line.split(' ')], { agency })
    expect(agency.calls.find(({ verb }) => verb === 'showCheckpoint')?.args).toEqual(expected)
  })

  test.each([
    ['ls', 'the id of an invocation is missing'],
    ['ls b7c9@3', "unexpected argument '3'"],
    ['apply b7c9', "the checkpoint's number is missing"],
    ['apply b7c9 x', "'x' is no number of a checkpoint"],
    ['apply b7c9@0', "'0' is no number of a checkpoint"],
    ['apply b7c9 3 4', 'too many arguments'],
    ['apply b7c9@3 4', "unexpected argument '4'"],
    ['show b7c9 3 --against then', "a checkpoint is not compared with 'then'"],
    ['export b7c9 3', "required option '--to <dir>' not specified"],
  ])('checkpoint %s is a mistake', async (line, message) => {
    const agency = recordingAgency()
    const ran = await runCli(['checkpoint', ...line.split(' ')], { agency })
    expect(ran.status).toBe(2)
    expect(ran.err).toContain(message)
    expect(agency.calls).toEqual([])
  })
})

test('show tells all of one, and its diff where asked', async () => {
  const agency = recordingAgency({
    showCheckpoint: async () => ({
      invocation: invocationRecord(FINISHED),
      checkpoint: checkpointRecord({ id: 3, parent: 2, name: 'tests pass', excluded: ['.env'] }),
    }),
  })
  const ran = await runCli(['checkpoint', 'show', 'b7c9', '3', '--diff'], { agency })
  expect(ran.out).toMatchInlineSnapshot(`
    "checkpoint  3
    name        tests pass
    invocation  20260128120500-b7c9
    taken       2m ago (2026-01-28T12:06:00.000Z)
    why         after a pause
    changes     +42 -15 in 3 files
    after       2
    head        8888888888888888888888888888888888888888
    commit      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    left out    .env

    It has changed nothing.
    "
  `)
  expect(agency.calls.at(-1)).toEqual({ verb: 'diffCheckpoint', args: ['b7c9', 3, 'before'] })
})

test('create, apply, export and rename say what they did', async () => {
  const agency = recordingAgency()
  const lines = [
    ['create', 'b7c9', '--name', 'before'],
    ['apply', 'b7c9', '1'],
    ['apply', 'b7c9', '3'],
    ['export', 'b7c9', '1', '--to', 'out'],
    ['rename', 'b7c9', '1', 'tests pass'],
    ['rename', 'b7c9', '1'],
  ]
  const said = []
  for (const line of lines) said.push((await runCli(['checkpoint', ...line], { agency, cwd: '/work' })).out)
  expect(said.join('')).toMatchInlineSnapshot(`
    "checkpoint 3 (before) of b7c9 (claude)
    +42 -15 in 3 files
    restored b7c9 (claude) to checkpoint 1; what was there is checkpoint 3
    agency undo takes it back
    restored b7c9 (claude) to checkpoint 3; its files were that already
    agency undo takes it back
    wrote 12 files to /work/out
    checkpoint 1 (tests pass) of b7c9 (claude)
    checkpoint 1 of b7c9 (claude)
    "
  `)
  expect(agency.calls.map(({ args }) => args)).toMatchObject([
    ['b7c9', { name: 'before' }],
    ['b7c9', 1],
    ['b7c9', 3],
    ['b7c9', 1, { path: '/work/out' }],
    ['b7c9', 1, 'tests pass'],
    ['b7c9', 1, null],
  ])
})

test('agent start --from takes an id or a checkpoint, and needs no worktree', async () => {
  const agency = recordingAgency()
  for (const from of ['b7c9', 'b7c9@4']) {
    await runCli(['agent', 'start', '--from', from, '--no-start'], { agency })
  }
  expect(agency.calls.map(({ args }) => args[0])).toMatchObject([
    { from: { invocation: 'b7c9' } },
    { from: { invocation: 'b7c9', checkpoint: 4 } },
  ])
})
