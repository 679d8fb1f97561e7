// The types of node-pty, as far as we use it. The prebuilt package declares them under another name, and lacks three
// that we need (_fd, _pty, _socket). So its version is pinned exactly.

declare module 'node-pty' {
  import type { Socket } from 'node:net'

  /** Node's own handle that a stream reads from. There is no other way to leave bytes in the kernel. */
  export interface ReadingHandle {
    readStart?(): number
    readStop?(): number
    readonly fd?: number
  }

  export interface Child {
    readonly pid: number
    /** Descriptor of the terminal's own side. It does not block. */
    readonly _fd: number
    /** Path of the child's side. */
    readonly _pty: string
    readonly _socket: Socket & { readonly _handle?: ReadingHandle | null }
    onData(listener: (data: Buffer) => void): void
    onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void
    resize(columns: number, rows: number): void
  }

  /** Data comes as buffers, because `encoding` is null. */
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
