// Node's own way to start a child fails in two more ways than by its `error` event: it throws, or it gives a child
// without its pipes. Both happen where the system has no more files, processes or memory to give.

import type { ChildProcess } from 'node:child_process'

export type ChildOrFailure<C> = { readonly child: C } | { readonly failed: string }

/** `failed` is the system's number, such as EMFILE. A program that is missing still comes by the child's `error`. */
export function startChild<C extends ChildProcess>(start: () => C): ChildOrFailure<C> {
  try {
    const child = start()
    if (hasItsPipes(child)) return { child }
    // Node reports it a moment later too, and nobody needs to hear it twice.
    child.on('error', () => {})
    return { failed: 'EMFILE' }
  } catch (error) {
    if (error instanceof Error && 'errno' in error && 'code' in error) return { failed: String(error.code) }
    throw error
  }
}

/** Streams are null where none were asked for, and missing where they could not be made. */
const hasItsPipes = ({ stdout, stderr, stdin }: ChildProcess): boolean =>
  [stdout, stderr, stdin].every((stream) => stream !== undefined)
