// Says what each file in transcripts/ is a recording of. It is written by hand, and the parsers are held to it.

import type { RunEnd } from '../../../src/core/model/runner.ts'

export interface RecordedRun {
  readonly session: string
  /** How the process ended when this was recorded. */
  readonly end: Pick<RunEnd, 'exit_code'> & Partial<Pick<RunEnd, 'exit_signal' | 'asked'>>
  readonly outcome:
    | 'finished exited'
    | 'finished stopped'
    | 'failed exited'
    | 'failed stopped'
    | 'failed killed'
  /** Every text of the agent. `…` stands for the rest of a long one. */
  readonly texts: readonly string[]
  readonly calls?: readonly string[]
  readonly denied?: readonly string[]
  /** Dollars, input tokens, output tokens; null without a result. */
  readonly spent: readonly [number | null, number | null, number | null] | null
  readonly failure?: RegExp
}

const EXITED = { exit_code: 0 } as const
const FAILED = { exit_code: 1 } as const

const CLAUDE: Readonly<Record<string, RecordedRun>> = {
  'claude-hello': {
    session: 'bc3c62ff-89d0-417e-b486-dd3bd044e2a9',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Hello from the mock model.'],
    spent: [0.0008, 100, 20],
  },
  'claude-hello-partial': {
    session: 'f1c4fb5a-cc65-4e52-aa30-63e575caa076',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Hello from the mock model.'],
    spent: [0.0008, 100, 20],
  },
  'claude-ask': {
    session: '2ddd3034-11d5-4f4d-ac06-9624bba22d48',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Thanks for answering.'],
    calls: ['AskUserQuestion failed'],
    spent: [0.0016, 200, 40],
  },
  'claude-bash-default': {
    session: '22218d5e-1b39-4f01-85da-b7ca5460efc5',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Running a command.', 'Command finished.'],
    calls: ['Bash ok'],
    spent: [0.0016, 200, 40],
  },
  'claude-commit-allowed': {
    session: '4c6bd944-bd4b-4cac-9aeb-91958b33d43b',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Writing.', 'Committing.', 'Committed.'],
    calls: ['Write ok', 'Bash ok'],
    spent: [0.0024, 300, 60],
  },
  'claude-failbash': {
    session: '96b4ecfc-1893-4c84-8f01-29e631440fe9',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['It failed with 3.'],
    calls: ['Bash failed 3'],
    spent: [0.0016, 200, 40],
  },
  'claude-hooks-accept': {
    session: '54729263-2c1a-4377-b484-e317f4d2101a',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['I will write the file.', 'Done: wrote hello.txt.'],
    calls: ['Write ok'],
    spent: [0.0016, 200, 40],
  },
  'claude-write-acceptEdits': {
    session: 'cad1222a-7255-42e1-ab83-aba03ac11c1f',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['I will write the file.', 'Done: wrote hello.txt.'],
    calls: ['Write ok'],
    spent: [0.0016, 200, 40],
  },
  'claude-write-default': {
    session: '4c790652-18af-4161-952c-b25cbf4d6d31',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['I will write the file.', 'Done: wrote hello.txt.'],
    calls: ['Write denied'],
    denied: ['Write'],
    spent: [0.0016, 200, 40],
  },
  'claude-err500-retries2': {
    session: 'f715e64e-766d-4d8f-b5ae-8eabfda4edc3',
    end: FAILED,
    outcome: 'failed exited',
    texts: [],
    spent: [0, 0, 0],
    failure: /^API Error: 500 mock internal error/,
  },
  'claude-err401': {
    session: '6ea74a5e-6af8-4b3a-8707-61f63a64eaad',
    end: { exit_code: null, exit_signal: 'SIGKILL' },
    outcome: 'failed exited',
    texts: [],
    spent: null,
    failure:
      /^it was ended by SIGKILL; its last error was: API error 401: authentication failed \(attempt 8 of 10\)$/,
  },
  'claude-resume-1': {
    session: '11111111-2222-4333-8444-555555555555',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Hello from the mock model.'],
    spent: [0.0008, 100, 20],
  },
  // Its total_cost_usd says 0.0016, because the run before is counted in it.
  'claude-resume-2': {
    session: '11111111-2222-4333-8444-555555555555',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['follow-up received: second prompt'],
    spent: [0.0008, 100, 20],
  },
  'claude-slow-SIGINT': {
    session: 'd33089f0-0260-484d-8a23-0e57afad610d',
    end: { exit_code: 0, asked: 'stop' },
    outcome: 'finished stopped',
    texts: ['slow 0 slow …'],
    spent: [0.00156, 100, 58],
  },
  'claude-slow-SIGTERM': {
    session: 'a68a6d77-a3ab-453c-a213-1108c510e5b5',
    end: { exit_code: 143, asked: 'stop' },
    outcome: 'failed stopped',
    texts: [],
    spent: null,
    failure: /SIGTERM/,
  },
  'claude197-commit': {
    session: '5fe6b5d2-10ff-4f7d-b681-8a9c71f91148',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Writing.', 'Committing.', 'Committed.'],
    calls: ['Write ok', 'Bash ok'],
    spent: [0.003, 300, 60],
  },
}

const CODEX: Readonly<Record<string, RecordedRun>> = {
  'codex-hello': {
    session: '01a1ffd5-5f4e-7492-b729-38fcfd2d1ff1',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Hello from the mock model.'],
    spent: [null, 100, 20],
  },
  'codex-burst': {
    session: '01a1ffed-d126-7211-b6ff-fb713fcc4610',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['burst 0 burst …'],
    spent: [null, 100, 20],
  },
  'codex-commit-ww-gitdir': {
    session: '01a1ffd4-db85-7712-820e-48c09411e487',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Writing.', 'Committing.', 'Committed.'],
    calls: ['edit ok', 'shell ok 0'],
    spent: [null, 300, 60],
  },
  'codex-edit-ww': {
    session: '01a1ffd0-8261-7d22-9f1e-5d53f4b1e9f5',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Editing.', 'Edited.'],
    calls: ['shell ok 0', 'edit ok'],
    spent: [null, 300, 60],
  },
  'codex-err401': {
    session: '01a1ffd0-c818-7561-aaa8-50027e0222d0',
    end: FAILED,
    outcome: 'failed exited',
    texts: [],
    spent: [null, null, null],
    failure: /^unexpected status 401 Unauthorized: mock invalid key/,
  },
  'codex-err500-r0': {
    session: '01a1ffee-a396-7a91-ba06-88fd732bc04d',
    end: FAILED,
    outcome: 'failed exited',
    texts: [],
    spent: [null, null, null],
    failure: /^We’re currently experiencing high demand/,
  },
  'codex-failbash': {
    session: '01a1ffd0-aa16-7ca1-9712-a491a491f922',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['It failed with 3.'],
    calls: ['shell failed 3'],
    spent: [null, 200, 40],
  },
  'codex-resume-1': {
    session: '01a1ffed-aaa3-77c2-97a4-59311450c829',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['Hello from the mock model.'],
    spent: [null, 100, 20],
  },
  'codex-resume-2': {
    session: '01a1ffed-aaa3-77c2-97a4-59311450c829',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['follow-up received: second prompt'],
    spent: [null, 200, 40],
  },
  'codex-slow-SIGINT': {
    session: '01a1ffd1-9aa1-7ce0-ae22-10d1cda7db1c',
    end: { exit_code: 1, asked: 'stop' },
    outcome: 'finished stopped',
    texts: [],
    spent: null,
  },
  // Its read-only sandbox refused the write, but its standard output does not say so.
  'codex-write-default': {
    session: '01a1ffd0-7a5b-7571-951f-47fb193fe67c',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['I will write the file.', 'Done: wrote hello.txt.'],
    spent: [null, 200, 40],
  },
  'codex-write-ww': {
    session: '01a1ffd5-6ceb-76b0-98cd-415923f28d51',
    end: EXITED,
    outcome: 'finished exited',
    texts: ['I will write the file.', 'Done: wrote hello.txt.'],
    calls: ['edit ok'],
    spent: [null, 200, 40],
  },
}

export const RECORDED_RUNS = { ...CLAUDE, ...CODEX }
