// Every refusal and failure that a person or a script can meet, in one table: its code, its exit status, its sentence,
// and what to type next. No other file makes up an error code.

import { ENVIRONMENT_CODES } from './environment-codes.ts'
import { type ErrorRow, EXIT } from './exit-status.ts'
import { MACHINE_CODES } from './machine-codes.ts'

export const ERROR_CODES = {
  E_USAGE: { exit: EXIT.usage, title: 'The command line is not understood', hint: 'agency --help' },
  E_CONFIG_INVALID: { exit: EXIT.usage, title: 'The configuration is not valid', hint: 'agency doctor' },
  E_NAME_INVALID: {
    exit: EXIT.usage,
    title: 'The name is not valid',
    hint: 'use 2 to 40 lowercase letters, digits and hyphens, for example: my-feature',
  },
  E_PROMPT_MISSING: {
    exit: EXIT.usage,
    title: 'A headless run needs a prompt',
    hint: 'give --prompt TEXT, --prompt-file FILE, or --prompt-file - to read it from standard input',
  },

  E_NOT_A_REPOSITORY: {
    exit: EXIT.not_found,
    title: 'This is not inside a git repository',
    hint: 'cd to a repository, or make one with: git init',
  },
  E_PATH_NOT_TEXT: {
    exit: EXIT.refused,
    title: 'A path is not UTF-8, so it cannot be worked with',
    hint: 'rename that directory, or set AGENCY_DATA_DIR if it is the one for data',
  },
  E_WORKTREE_NOT_FOUND: {
    exit: EXIT.not_found,
    title: 'There is no such worktree',
    hint: 'agency worktree ls --all',
  },
  E_INVOCATION_NOT_FOUND: {
    exit: EXIT.not_found,
    title: 'There is no such invocation',
    hint: 'agency agent ls --all',
  },
  E_CHECKPOINT_NOT_FOUND: {
    exit: EXIT.not_found,
    title: 'There is no such checkpoint',
    hint: 'agency checkpoint ls ID',
  },
  E_AMBIGUOUS: { exit: EXIT.not_found, title: 'The prefix fits more than one', hint: 'type more of the id' },
  E_COMMIT_NOT_FOUND: {
    exit: EXIT.not_found,
    title: 'The sandbox has no such commit of its own',
    hint: 'agency agent diff ID lists them',
  },
  E_BRANCH_NOT_FOUND: { exit: EXIT.not_found, title: 'There is no such branch', hint: 'git branch --list' },

  E_REPOSITORY_EMPTY: {
    exit: EXIT.refused,
    title: 'The repository has no commit yet',
    hint: "git commit --allow-empty -m 'Start'",
  },
  E_HEAD_DETACHED: {
    exit: EXIT.refused,
    title: 'HEAD is detached, so there is no branch to start from',
    hint: 'name the parent: agency worktree create --name NAME --parent BRANCH',
  },
  E_NAME_TAKEN: {
    exit: EXIT.refused,
    title: 'A worktree of that name exists',
    hint: 'choose another name, or archive it: agency worktree rm NAME',
  },
  E_WORKTREE_ARCHIVED: {
    exit: EXIT.refused,
    title: 'The worktree is archived',
    hint: 'agency worktree ls --all',
  },
  E_WORKTREE_BUSY: {
    exit: EXIT.refused,
    title: 'Agents are still running in this worktree',
    hint: 'stop them, or: agency worktree rm NAME --force',
  },
  E_WORKTREE_DIRTY: {
    exit: EXIT.refused,
    title: 'The worktree has edits of your own that are not committed',
    hint: 'commit them, or: agency worktree rm NAME --force (they are kept for undo)',
  },
  E_NOT_INTEGRATION_TREE: {
    exit: EXIT.refused,
    title: 'The target is not an integration worktree',
    hint: 'agency doctor',
  },
  E_SANDBOX_UNSAFE_PATH: {
    exit: EXIT.refused,
    title: 'The sandbox path would touch a tree that no runner may write to',
    hint: 'agency doctor',
  },
  E_SANDBOX_OUT_OF_REACH: {
    exit: EXIT.refused,
    title: 'The files of the sandbox cannot be reached from here',
    hint: 'agency agent diff ID shows what it changed',
  },
  E_SANDBOX_MARKER_MISSING: {
    exit: EXIT.refused,
    title: 'The path does not carry the mark of a sandbox',
    hint: 'agency doctor',
  },
  E_INVOCATION_RUNNING: {
    exit: EXIT.refused,
    title: 'The invocation is still running',
    hint: 'agency agent stop ID',
  },
  E_INVOCATION_NOT_RUNNING: {
    exit: EXIT.refused,
    title: 'The invocation is not running',
    hint: 'agency agent logs ID',
  },
  E_INVOCATION_NOT_HEADED: {
    exit: EXIT.refused,
    title: 'The invocation has no terminal',
    hint: 'agency agent logs ID --follow',
  },
  E_INVOCATION_CLOSED: {
    exit: EXIT.refused,
    title: 'The invocation was already landed or discarded',
    hint: 'agency undo brings the last one back; agency log lists them',
  },
  E_INVOCATION_BROKEN: { exit: EXIT.refused, title: 'The invocation is broken', hint: 'agency doctor' },
  E_STILL_RUNNING: {
    exit: EXIT.refused,
    title: 'The runner did not end when asked to',
    hint: 'agency agent kill ID',
  },
  E_SANDBOX_DIRTY: {
    exit: EXIT.refused,
    title: 'The sandbox has commits and also uncommitted work',
    hint: '--apply lands it as one commit on top; --commits-only lands the commits and keeps the rest for undo',
  },
  E_NEEDS_APPLY: {
    exit: EXIT.refused,
    title: 'The sandbox has uncommitted work and no commit',
    hint: 'agency agent land ID --apply',
  },
  E_NOTHING_TO_LAND: {
    exit: EXIT.refused,
    title: 'The sandbox changed nothing',
    hint: 'agency agent discard ID',
  },
  E_BASE_MOVED: {
    exit: EXIT.refused,
    title: 'The worktree has moved on since the invocation began',
    hint: 'land without --require-base to put the work on top of it',
  },
  E_BRANCH_MOVED: {
    exit: EXIT.refused,
    title: "The worktree's branch was moved from outside its own tree",
    hint: 'look at it with git log; agency doctor --fix accepts it as it is',
  },
  E_INTEGRATION_BUSY: {
    exit: EXIT.refused,
    title: 'A git operation is in progress in the worktree',
    hint: 'finish or abort it there (git status), then try again',
  },
  E_WOULD_OVERWRITE: {
    exit: EXIT.refused,
    title: 'That would overwrite your own files in the worktree',
    hint: 'commit, move or remove them, then try again',
  },
  E_EXPORT_TARGET: {
    exit: EXIT.refused,
    title: 'Files are written into a new or an empty directory only',
    hint: 'name another directory',
  },
  E_MARKER_IN_WORK: {
    exit: EXIT.refused,
    title: 'The work contains files under .agency/, which never land',
    hint: 'remove them from the commits, then try again',
  },
  E_SUBMODULE_MISSING: {
    exit: EXIT.refused,
    title: "A submodule's commit is in the sandbox alone",
    hint: 'push it from the sandbox, or run in the worktree: git submodule update --init; then land again',
  },
  E_NOTHING_TO_UNDO: { exit: EXIT.refused, title: 'There is nothing to undo', hint: 'agency log' },
  E_NOTHING_TO_REDO: { exit: EXIT.refused, title: 'There is nothing to redo', hint: 'agency log' },
  E_UNDO_MOVED: {
    exit: EXIT.refused,
    title: 'Something has moved since, so it cannot be undone safely',
    hint: 'agency log',
  },
  E_UNDO_EXPIRED: {
    exit: EXIT.refused,
    title: 'What it would bring back is no longer kept',
    hint: 'keep_discarded in the configuration sets for how long it is',
  },
  E_CHECKPOINT_SKIPPED: {
    exit: EXIT.refused,
    title: 'A file that may be a secret is in the way of a checkpoint',
    hint: 'ignore it by .gitignore, or leave such files out: checkpoint.on_denylisted = "exclude"',
  },
  E_REF_IN_THE_WAY: {
    exit: EXIT.refused,
    title: 'A ref stands where another one has to be',
    hint: 'agency doctor names it; agency doctor --fix moves it aside',
  },
  E_PATH_NOT_OURS: {
    exit: EXIT.refused,
    title: 'The path is not proved to be ours, so it is not deleted',
    hint: 'agency doctor',
  },
  E_NO_TERMINAL: {
    exit: EXIT.refused,
    title: 'This needs a terminal',
    hint: 'run it in a terminal, or use the other commands with --json',
  },

  E_LAND_CONFLICT: {
    exit: EXIT.conflict,
    title: 'The work conflicts with the worktree',
    hint: 'nothing was changed; ask the agent to rebase, or merge its branch by hand',
  },

  E_RUNNER_UNKNOWN: {
    exit: EXIT.unavailable,
    title: 'There is no such runner',
    hint: 'agency doctor lists the runners; your own go into config.toml',
  },
  E_RUNNER_MISSING: { exit: EXIT.unavailable, title: 'The runner is not installed', hint: 'agency doctor' },
  E_RUNNER_TOO_OLD: { exit: EXIT.unavailable, title: 'The runner is too old', hint: 'agency doctor' },
  E_RUNNER_NO_ACCOUNT: {
    exit: EXIT.unavailable,
    title: 'The runner has no account to work with',
    hint: 'agency doctor',
  },
  E_RUNNER_MODE: {
    exit: EXIT.unavailable,
    title: 'The runner does not work in that mode',
    hint: 'agency doctor',
  },
  E_RUNNER_START_FAILED: {
    exit: EXIT.unavailable,
    title: 'The runner could not be started',
    hint: 'agency doctor',
  },
  ...ENVIRONMENT_CODES,
  E_HOST_FAILED: {
    exit: EXIT.unavailable,
    title: 'The process that keeps the runner alive did not come up',
    hint: 'agency doctor',
  },
  E_HOST_GONE: {
    exit: EXIT.unavailable,
    title: 'The process that kept the runner alive is gone',
    hint: 'agency agent show ID',
  },
  E_LOCKED: {
    exit: EXIT.unavailable,
    title: 'Another agency command holds the lock of this repository',
    hint: 'wait for it; agency doctor names it',
  },
  E_GIT_STUCK: {
    exit: EXIT.unavailable,
    title: 'git waits for something that never comes',
    hint: 'agency doctor says what lies in its way',
  },
  E_FILE_UNREADABLE: {
    exit: EXIT.unavailable,
    title: 'Something else lies in the place of a file',
    hint: 'look at it, and move it away if it is not yours',
  },
  E_REF_LOCKED: {
    exit: EXIT.unavailable,
    title: 'Another git holds a lock of the repository, or was killed while it did',
    hint: 'try again; agency doctor --fix removes a lock that nobody can be holding',
  },
  E_RECORD_UNREADABLE: { exit: EXIT.unavailable, title: 'A record cannot be read', hint: 'agency doctor' },
  E_RECORD_TOO_NEW: {
    exit: EXIT.unavailable,
    title: 'A record was written by a newer agency',
    hint: 'update agency',
  },
  E_DISK_FULL: { exit: EXIT.unavailable, title: 'The disk is full', hint: 'free some space, then try again' },
  ...MACHINE_CODES,
  E_GIT_MISSING: { exit: EXIT.unavailable, title: 'git is not installed', hint: 'install git 2.39 or later' },
  E_GIT_FAILED: { exit: EXIT.unavailable, title: 'git failed', hint: 'agency doctor' },
  E_EDITOR_FAILED: {
    exit: EXIT.unavailable,
    title: 'The editor could not be opened',
    hint: 'set VISUAL or EDITOR, or editor in config.toml',
  },
  E_INTERNAL: {
    exit: EXIT.internal,
    title: 'agency met an error of its own',
    hint: 'please report it with the text above',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERROR_CODES
