// Puts the person's own keys into the table. A key that would mean two things at once is an error that says what to
// change. Only where the table itself gives a nearer group the key of a farther one is that intended.

import type { Config } from '../../../core/model/config.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { nearestName } from '../../text/nearest.ts'
import type { Binding, BindingGroup } from './bindings.ts'
import { parseChord } from './parse-chord.ts'

/**
 * Which groups apply at the same time, nearest first, as in groupsOf. If two have the same key, the nearer one gets it.
 */
const ALWAYS = ['move', 'new', 'anywhere'] as const
const ACTIVE_GROUPS: Readonly<Record<string, readonly BindingGroup[]>> = {
  'on an agent in the tree': ['invocation', ...ALWAYS],
  'on a worktree in the tree': ['worktree', ...ALWAYS],
  'in a log': ['log', 'invocation', ...ALWAYS],
  'in a diff': ['diff', 'invocation', ...ALWAYS],
  'in a list of checkpoints': ['checkpoints', 'invocation', ...ALWAYS],
  'in a diff of a checkpoint': ['compare', 'diff', 'checkpoints', 'invocation', ...ALWAYS],
  'in a terminal whose agent has ended': ['pane', 'invocation', ...ALWAYS],
}

type Setting = string | readonly string[] | false

/** Throws E_CONFIG_INVALID. `keys` is the `[keys]` table of config.toml. */
export function resolveBindings(bindings: readonly Binding[], keys: Config['keys'] = {}): readonly Binding[] {
  const wanted = new Map(flattenKeys(keys).map(([name, setting]) => [name, readChords(name, setting)]))
  if (wanted.size === 0) return bindings
  const names = bindings.map(({ action }) => action as string)
  for (const name of wanted.keys()) if (!names.includes(name)) throw unknownAction(name, names)
  const resolved = bindings.map((binding) => ({
    ...binding,
    chords: wanted.get(binding.action) ?? binding.chords,
  }))
  checkWayOut(resolved)
  const meant = new Set(clashesIn(bindings).map(pairOf))
  const clash = clashesIn(resolved).find((found) => !meant.has(pairOf(found)))
  if (clash !== undefined) throw describeClash(clash)
  return resolved
}

function flattenKeys(keys: NonNullable<Config['keys']>): (readonly [name: string, setting: Setting])[] {
  return Object.entries(keys).flatMap(([name, value]) =>
    isSetting(value)
      ? [[name, value] as const]
      : Object.entries(value).map(([verb, setting]) => [`${name}.${verb}`, setting] as const),
  )
}

const isSetting = (value: unknown): value is Setting =>
  typeof value === 'string' || value === false || Array.isArray(value)

function readChords(name: string, setting: Setting): readonly string[] {
  const texts = setting === false ? [] : typeof setting === 'string' ? [setting] : setting
  const chords = texts.map((text) => {
    const parsed = parseChord(text)
    if ('problem' in parsed) throw invalidKeys(`${configLine(name, text)}: ${parsed.problem}`)
    return parsed.chord
  })
  return [...new Set(chords)]
}

function unknownAction(name: string, names: readonly string[]): AgencyError {
  const near = nearestName(name, names)
  return invalidKeys(`"${name}": there is no such action${near === null ? '' : `; is it "${near}"?`}`, {
    hint: 'the README lists the names of all actions',
  })
}

/** There has to be a key that leaves the terminal: everything else that is typed there is for the agent. */
function checkWayOut(bindings: readonly Binding[]): void {
  const leave = bindings.find(({ action }) => action === 'pane.leave')
  if (leave === undefined) return
  if (leave.chords.length === 0) {
    throw invalidKeys('"pane.leave" needs a key: without it there is no way out of a focused terminal')
  }
  const typed = bindings
    .filter(({ group }) => group === 'pane')
    .flatMap(({ action, chords }) => chords.map((chord) => ({ action, chord })))
    .find(({ chord }) => !/^(ctrl|alt|shift|meta)\+|^f\d+$/.test(chord))
  if (typed === undefined) return
  throw invalidKeys(
    `${configLine(typed.action, typed.chord)}: in a focused terminal that key belongs to the agent; take one with Ctrl, Alt or Shift, or a function key`,
  )
}

/** Two actions with the same key, which would only do the nearer one. */
interface Clash {
  readonly where: string
  readonly chord: string
  readonly nearer: Binding
  readonly farther: Binding
}

function clashesIn(bindings: readonly Binding[]): Clash[] {
  return Object.entries(ACTIVE_GROUPS).flatMap(([where, groups]) => {
    const taken = new Map<string, Binding>()
    const listening = groups.flatMap((group) => bindings.filter((binding) => binding.group === group))
    return listening.flatMap((farther) =>
      farther.chords.flatMap((chord) => {
        const nearer = taken.get(chord)
        if (nearer === undefined) taken.set(chord, farther)
        return nearer === undefined ? [] : [{ where, chord, nearer, farther }]
      }),
    )
  })
}

const pairOf = ({ nearer, farther }: Clash): string => `${nearer.action} ${farther.action}`

const describeClash = ({ where, chord, nearer, farther }: Clash): AgencyError =>
  invalidKeys(
    `${configLine(nearer.action, chord)} and ${configLine(farther.action, chord)} clash ${where}: one key cannot mean both '${nearer.label}' and '${farther.label}'`,
    { hint: `give "${nearer.action}" or "${farther.action}" another key, or set one of them to false` },
  )

const configLine = (name: string, chord: string): string => `"${name}" = ${JSON.stringify(chord)}`

const invalidKeys = (why: string, options: { readonly hint?: string } = {}): AgencyError =>
  new AgencyError('E_CONFIG_INVALID', `[keys] in config.toml: ${why}`, {
    hint: 'change that line',
    ...options,
  })
