// A sandbox's location as records have it. It is not a string for the code that holds it: a sandbox may lie where this
// process cannot read it, so only its changeset, and the host that runs in it, may go there.

import * as z from 'zod/mini'

declare const way: unique symbol

export interface SandboxPath {
  readonly [way]: 'SandboxPath'
}

export const sandboxPathSchema = z.custom<SandboxPath>((value) => typeof value === 'string')

export const sandboxPath = (path: string): SandboxPath => path as unknown as SandboxPath

/** For messages, and for telling which processes work there. To read or write, use the changeset. */
export const showPath = (path: SandboxPath): string => path as unknown as string
