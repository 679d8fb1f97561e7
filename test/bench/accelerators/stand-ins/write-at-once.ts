// Written as to any stream.

import type { Writable } from 'node:stream'

export const writeAtOnce = (stream: Writable, data: Uint8Array | string): boolean => stream.write(data)
