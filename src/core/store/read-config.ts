// The person's configuration, and what a repository may add to it. Both are read as data: strictly, never followed to
// another file, and a mistake is an error that says where it is and what was expected.

import { join } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { readTextIfThere } from '../doors/system/files.ts'
import { type FileBounds, NOTE_BOUNDS } from '../doors/system/regular-file.ts'
import { CONFIG_DEFAULTS, type Config, configSchema, REPOSITORY_SAFE_KEYS } from '../model/config.ts'
import { describeIssue } from '../model/describe-issue.ts'
import { AgencyError } from '../model/errors.ts'
import { configPath } from './paths.ts'

const REPOSITORY_FILE = '.agency.toml'
/** A link or a pipe could lead anywhere, or block for ever. */
const REPOSITORY_BOUNDS: FileBounds = { most: 1024 * 1024, links: 'refused' }

/**
 * Defaults, then config.toml, then `.agency.toml` of the repository: the nearer wins. Throws E_CONFIG_INVALID.
 * `repositoryRoot` is the person's own work tree; null outside of a repository.
 */
export function loadConfig(env: NodeJS.ProcessEnv, repositoryRoot: string | null): Config {
  const own = readConfig(configPath(env))
  const path = repositoryRoot === null ? null : join(repositoryRoot, REPOSITORY_FILE)
  if (path === null) return { ...CONFIG_DEFAULTS, ...own }
  const { default_environment, ...theirs } = readRepositoryConfig(path)
  const asked = default_environment === undefined ? {} : { repository_environment: default_environment }
  return { ...CONFIG_DEFAULTS, ...own, ...theirs, ...asked }
}

const readConfig = (path: string): Config =>
  checkConfig(path, parseToml(path, readConfigText(path, NOTE_BOUNDS)))

/** Anyone who can push to the repository can write this file, so it may be anything at all. */
function readRepositoryConfig(path: string): Config {
  const data = parseToml(path, readConfigText(path, REPOSITORY_BOUNDS))
  const unsafe = Object.keys(data).filter((key) => !isSafe(key))
  if (unsafe.length > 0) {
    throw invalidConfig(path, `a repository may not set ${unsafe.join(', ')}; it may set ${safeKeys}`, {
      hint: 'set it in your own config.toml',
    })
  }
  return checkConfig(path, data)
}

const safeKeys = REPOSITORY_SAFE_KEYS.join(', ')

const isSafe = (key: string): boolean => REPOSITORY_SAFE_KEYS.some((safe) => safe === key)

function readConfigText(path: string, bounds: FileBounds): string | null {
  try {
    return readTextIfThere(path, bounds)
  } catch (error) {
    const why = error instanceof AgencyError ? String(error.details['why']) : 'it cannot be read'
    throw invalidConfig(path, why, { cause: error })
  }
}

function parseToml(path: string, text: string | null): Record<string, unknown> {
  try {
    return text === null ? {} : parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw invalidConfig(path, `line ${error.line}, column ${error.column}: ${reason}`, { cause: error })
  }
}

function checkConfig(path: string, data: Record<string, unknown>): Config {
  const parsed = configSchema.safeParse(data)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalidConfig(path, issue === undefined ? 'it is not valid' : describeIssue(issue))
}

function invalidConfig(
  path: string,
  why: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): AgencyError {
  return new AgencyError('E_CONFIG_INVALID', `${path}: ${why}`, { ...options, details: { path } })
}
