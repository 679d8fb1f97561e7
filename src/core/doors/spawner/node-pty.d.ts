// node-pty as we use it: the prebuilt package declares its types under another name, and we need three things that it
// does not show of itself. Its version is pinned exactly.

declare module 'node-pty' {
  import type { Socket } from 'node:net'

  /** What a stream reads from: Node's own, which has no other way to leave bytes in the kernel. */
  export interface ReadingHandle {
    readStart?(): number
    readStop?(): number
    readonly fd?: number
  }

  export interface Child {
    readonly pid: number
    /** The terminal's own side; it does not block. */
    readonly _fd: number
    /** Path of the child's side. */
    readonly _pty: string
    readonly _socket: Socket & { readonly _handle?: ReadingHandle | null }
    onData(listener: (data: Buffer) => void): void
    onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void
    resize(columns: number, rows: number): void
  }

  /** Data comes as buffers where `encoding` is null. */
  export function spawn(
    file: string,
    args: readonly string[],
    options: {
      readonly name: string
      readonly cols: number
      readonly rows: number
      readonly cwd: string
      readonly env: Readonly<Record<string, string>>
      readonly encoding: null
    },
  ): Child
}
