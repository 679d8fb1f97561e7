// What each of the real CLIs asks of a person on a terminal, and the keys that answer.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { OuterTerminal } from '../support/processes/outer-terminal.ts'

export const DOWN = '\x1b[B'
export const UP = '\x1b[A'
export const ENTER = '\r'

/** Presses the key again and again, because for a moment after a question has come up its answer is not taken. */
export async function press(
  terminal: OuterTerminal,
  key: string,
  until: (screen: string) => boolean,
): Promise<void> {
  const answered = (): boolean => {
    if (until(terminal.screen())) return true
    terminal.type(key)
    return false
  }
  await expect.poll(answered, { interval: 500, timeout: 20_000 }).toBe(true)
}

export const HEADED = {
  claude: {
    /** In a new home Claude Code first asks for an account at claude.ai. Only this setting prevents that. */
    prepare: (home: string) =>
      writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true })),
    answer: async (terminal: OuterTerminal) => {
      await terminal.shows('Yes, I trust this folder')
      await press(terminal, DOWN, (screen) => screen.includes('❯ Yes, I trust this folder'))
      await press(terminal, ENTER, (screen) => screen.includes('Do you want to use this API key?'))
      await press(terminal, UP, (screen) => screen.includes('❯ Yes'))
      await press(terminal, ENTER, (screen) => !screen.includes('Do you want to use this API key?'))
    },
    leave: '/exit',
    stopped: { exit_code: 0, exit_signal: null },
  },
  codex: {
    prepare: () => {},
    answer: async (terminal: OuterTerminal) => {
      await terminal.shows('› 1. Trust and continue')
      await press(terminal, ENTER, (screen) => !screen.includes('Trust and continue'))
    },
    leave: '/quit',
    stopped: { exit_code: null, exit_signal: 'SIGINT' },
  },
} as const

/** Permissions of a person who wants to be asked, as people write them down. */
export const ASKING = {
  claude: {
    settings: (home: string) => join(home, '.claude', 'settings.json'),
    text: JSON.stringify({ permissions: { defaultMode: 'default' } }),
    none: '{}',
    question: 'Do you want to create hello.txt?',
    /** After the first permission that a person gives, Claude Code offers to ask less. */
    decline: async (terminal: OuterTerminal) => {
      await terminal.shows('Make auto mode your default permission mode?')
      await press(terminal, DOWN, (screen) => screen.includes('❯ No, keep manual mode'))
      await press(terminal, ENTER, (screen) => !screen.includes('Make auto mode your default'))
    },
    input: '❯',
    interrupted: 'Interrupted',
  },
  codex: {
    settings: (home: string) => join(home, '.codex', 'config.toml'),
    text: 'approval_policy = "on-request"\nsandbox_mode = "read-only"\n',
    none: '',
    question: 'Would you like to',
    decline: async () => {},
    input: '›',
    interrupted: 'interrupted',
  },
} as const

/** The configuration of codex that the mock needs. */
export const codexConfig = (codexHome: string): string => readFileSync(join(codexHome, 'config.toml'), 'utf8')
