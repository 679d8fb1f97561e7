// Brings the person's environment to the runner. A host's own node needs other settings than the person's, so the host
// carries theirs along in a variable of ours.

import { OWN_NODE_SETTINGS } from '../../core/doors/system/own-node.ts'

const CARRIED = 'AGENCY_CARRIED_ENV'

/** The environment of a new host. */
export function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const carried = Object.fromEntries(Object.keys(OWN_NODE_SETTINGS).map((name) => [name, env[name]]))
  const { AGENCY_INVOCATION_ID: _, AGENCY_SANDBOX: __, ...own } = env
  return { ...own, ...OWN_NODE_SETTINGS, [CARRIED]: JSON.stringify(carried) }
}

/** The person's values, read back from the environment of a host. */
export function readCarried(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const none = Object.fromEntries(Object.keys(OWN_NODE_SETTINGS).map((name) => [name, undefined]))
  return { ...none, ...(JSON.parse(env[CARRIED] ?? '{}') as Record<string, string>) }
}
