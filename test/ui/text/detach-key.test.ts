import { expect, test } from 'vitest'
import { readTyped } from '../../../src/ui/text/detach-key.ts'

test.each([
  ['plain', '\x1c'],
  ['kitty', '\x1b[92;5u'],
  ['kitty with an event type', '\x1b[92;5:1u'],
  ['kitty with alternate keys', '\x1b[92:124;5u'],
  ['kitty with Num Lock', '\x1b[92;133u'],
  ['kitty with Caps Lock', '\x1b[92;69u'],
  ["xterm's modifyOtherKeys", '\x1b[27;5;92~'],
])('Ctrl-\\ detaches, sent as %s', (_, bytes) => {
  expect(readTyped('', `before${bytes}after`)).toEqual({ forward: 'before', held: '', detach: true })
})

test.each(['\\', '\x1b[92;1u', '\x1b[92;6u', '\x1b[92;5:3u', '\x1b[92u', '\x1b[A', '\x03', '\x1b[93;5u'])(
  'another key is the agent’s: %j',
  (bytes) => {
    expect(readTyped('', bytes)).toEqual({ forward: bytes, held: '', detach: false })
  },
)

test('the key is found where a chunk cuts it', () => {
  const whole = '\x1b[92;5:1u'
  for (let cut = 1; cut < whole.length; cut += 1) {
    const first = readTyped('', `x${whole.slice(0, cut)}`)
    expect(first).toEqual({ forward: 'x', held: whole.slice(0, cut), detach: false })
    expect(readTyped(first.held, whole.slice(cut)).detach).toBe(true)
  }
})

test('what only looked like the beginning of it goes to the agent whole', () => {
  expect(readTyped('\x1b[9', '3;5u')).toEqual({ forward: '\x1b[93;5u', held: '', detach: false })
})
