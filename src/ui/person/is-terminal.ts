// Whether there is a terminal to draw a dashboard on.

import type { Console } from './console.ts'

export const isTerminal = ({ stdin, stdout }: Console): boolean =>
  stdin.isTTY === true && stdout.isTTY === true
