// Text comes in chunks that are cut anywhere, and a host cuts them elsewhere than its clients. In two modes, the emulator
// treats the halves of wide characters differently where a chunk begins.

import type { Insides } from './xterm-insides.ts'

/** Without wrapping, and in insert mode, every character is printed as if it came alone. */
export function mendRuns({ _inputHandler: handler, coreService }: Insides): void {
  const { print } = handler
  handler.print = (data, start, end) => {
    const whole = coreService.decPrivateModes.wraparound && !coreService.modes.insertMode
    if (whole) print.call(handler, data, start, end)
    else for (let at = start; at < end; at++) print.call(handler, data, at, at + 1)
  }
}
