// The small process that starts programs for a large one. It ends when that one ends, and lets go of its programs.

import { unreachable } from '../../model/unreachable.ts'
import { spawnHere } from './local-spawner.ts'
import type { Order, Report } from './messages.ts'
import type { OpenProcess } from './spawner.ts'

process.title = 'agency-spawner'

const open = new Map<number, OpenProcess>()
const report = (said: Report): void => {
  if (process.connected) process.send?.(said)
}

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'start':
      void start(order)
      break
    case 'write':
      open.get(order.id)?.write(order.input)
      break
    case 'end':
      open.get(order.id)?.end(order.input)
      break
    default:
      unreachable(order)
  }
})
report({ kind: 'ready' })

async function start({ id, request }: Extract<Order, { kind: 'start' }>): Promise<void> {
  const child = spawnHere(request)
  open.set(id, child)
  // Sends output on as it comes, for those who read it early. The final report repeats all of it, and that is what
  // counts.
  if (request.input) child.stdout.on('data', (bytes: Buffer) => report({ kind: 'output', id, bytes }))
  report({ kind: 'started', id, pid: await child.pid })
  const end = await child.ended
  open.delete(id)
  report({ kind: 'ended', id, end })
}
