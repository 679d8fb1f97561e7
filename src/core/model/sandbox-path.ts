// The way to a sandbox's files, as records name it. It is no text for whoever holds it: a sandbox need not lie where
// this process could read it, so that only its changeset, and the host that runs in it, may go there.

import * as z from 'zod/mini'

declare const way: unique symbol

export interface SandboxPath {
  readonly [way]: 'SandboxPath'
}

export const sandboxPathSchema = z.custom<SandboxPath>((value) => typeof value === 'string')

export const sandboxPath = (path: string): SandboxPath => path as unknown as SandboxPath

/** For words, and to tell which processes work there. What is read or written goes by the changeset. */
export const showPath = (path: SandboxPath): string => path as unknown as string
