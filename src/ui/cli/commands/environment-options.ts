// The options by which a start, or a look at an environment, changes single choices of it. Each is a key of
// `[environments.NAME]`, too.

import {
  CHANGESET_CHOICES,
  type EnvironmentChanges,
  ISOLATION_CHOICES,
  OUTPUTS_CHOICES,
  PLATFORM_CHOICES,
} from '../../../core/model/environment.ts'
import type { OptionRow } from './command.ts'

interface EnvironmentOption extends OptionRow {
  readonly key: keyof EnvironmentChanges
  readonly takes: 'word' | 'number' | 'list'
}

export const ENVIRONMENT_OPTION: OptionRow = {
  flags: '--env <name>',
  summary:
    'where it runs and how confined; agency env ls lists them (default: default_environment, else local)',
  completes: ['local', 'boxed', 'offline'],
}

export const ENVIRONMENT_OPTIONS: readonly EnvironmentOption[] = [
  {
    flags: '--changeset <kind>',
    summary: 'how its files are kept apart: worktree, overlay, copy',
    completes: CHANGESET_CHOICES,
    key: 'changeset',
    takes: 'word',
  },
  {
    flags: '--platform <platform>',
    summary: 'where its processes are: local, kubernetes',
    completes: PLATFORM_CHOICES,
    key: 'platform',
    takes: 'word',
  },
  {
    flags: '--isolation <box>',
    summary: 'what confines it: none, os, container, vm',
    completes: ISOLATION_CHOICES,
    key: 'isolation',
    takes: 'word',
  },
  {
    flags: '--network <outputs>',
    summary: 'what it can reach: open, restricted, none',
    completes: OUTPUTS_CHOICES,
    key: 'outputs',
    takes: 'word',
  },
  {
    flags: '--software <name>',
    summary: 'what it runs on: host, or an image',
    key: 'software',
    takes: 'word',
  },
  {
    flags: '--allow <host>',
    summary: 'a host that a restricted network lets through; may be repeated',
    repeats: true,
    key: 'allow',
    takes: 'list',
  },
  { flags: '--memory <mb>', summary: 'at most so many megabytes of memory', key: 'memory', takes: 'number' },
  { flags: '--cpus <number>', summary: 'at most so many busy CPUs', key: 'cpus', takes: 'number' },
  { flags: '--pids <number>', summary: 'at most so many processes', key: 'pids', takes: 'number' },
  { flags: '--disk <mb>', summary: 'at most so many megabytes of files', key: 'disk', takes: 'number' },
  { flags: '--wall-time <seconds>', summary: 'ends it after so long', key: 'wall_time', takes: 'number' },
  {
    flags: '--max-cost <usd>',
    summary: 'ends it when it has cost so much',
    key: 'max_cost',
    takes: 'number',
  },
  {
    flags: '--mount <path>',
    summary: 'a directory that its box shows read-only, or PATH:rw; may be repeated',
    repeats: true,
    completes: 'directory',
    key: 'mounts',
    takes: 'list',
  },
  {
    flags: '--variable <name>',
    summary: 'pass a variable of yours on into its box; may be repeated',
    repeats: true,
    key: 'variables',
    takes: 'list',
  },
  {
    flags: '--secret <variable>',
    summary: 'give the value of a variable as a file; may be repeated',
    repeats: true,
    key: 'secrets',
    takes: 'list',
  },
  {
    flags: '--env-file <pattern>',
    summary: 'copy ignored files such as .env* into its sandbox; may be repeated',
    repeats: true,
    key: 'env_files',
    takes: 'list',
  },
  {
    flags: '--link <path>',
    summary: 'share an ignored directory such as node_modules, read-only; may be repeated',
    repeats: true,
    key: 'link',
    takes: 'list',
  },
  { flags: '--setup <command>', summary: 'run it in the sandbox first', key: 'setup', takes: 'word' },
  {
    flags: '--teardown <command>',
    summary: 'run it in the sandbox afterwards',
    key: 'teardown',
    takes: 'word',
  },
]
