// Prints as agents do, for the benches. `agent.mjs MODE [AMOUNT]`: `endless LINES` prints so many lines at once, then
// streams until it is ended. `stream SECONDS` and `writes COUNT` begin with each line of input, and end with a mark
// that is printed nowhere else.

import { readSync, writeSync } from 'node:fs'

const FRAME_MS = 33
const MARK = '\x1b[2J\x1b[HQWYUV\r\n'

const [mode, amount = '0'] = process.argv.slice(2)
const print = (text) => writeSync(1, text)

if (mode === 'endless') {
  for (let line = 0; line < Number(amount); line++)
    print(`\x1b[3${line % 8}m${`line ${line} `.repeat(8)}\x1b[m\r\n`)
  stream(Number.POSITIVE_INFINITY)
} else {
  for (;;) {
    print('READY\r\n')
    readSync(0, Buffer.alloc(100))
    if (mode === 'writes') smallWrites(Number(amount))
    else await stream(Number(amount) * 1000)
    print(MARK)
  }
}

function smallWrites(count) {
  for (let n = 0; n < count; n++) print(n % 12 === 11 ? `${n}\r\n` : `w${n % 1000} `)
}

/** Prints words in colour, line after line, above a status of some rows that is drawn anew in each frame. */
function stream(ms) {
  const began = Date.now()
  let frame = 0
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (Date.now() - began < ms) return drawFrame(frame++)
      clearInterval(timer)
      resolve()
    }, FRAME_MS)
  })
}

function drawFrame(frame) {
  const back = frame === 0 ? '' : '\x1b[2K\x1b[1A'.repeat(4)
  const words = Array.from(
    { length: 8 },
    (_, n) => `\x1b[3${(n + frame) % 8}mword${(frame * 8 + n) % 977}\x1b[m `,
  )
  const status = [
    `\x1b[38;2;215;119;87m${'-\\|/'[frame % 4]} thinking\x1b[m (${frame} tokens)`,
    `\x1b[2m${'-'.repeat(60)}\x1b[m`,
    '> \x1b[7m \x1b[m',
    `\x1b[2m  ${frame} of context left\x1b[m`,
  ]
  print(`${back}\r${words.join('')}\x1b[K\r\n${status.join('\x1b[K\r\n')}\x1b[K\r\n`)
}
