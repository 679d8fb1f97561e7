import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readDirectly } from '../../../src/runners/host/direct-reading.ts'
import { makeScratch } from '../../support/repository.ts'
import { waitUntil } from '../../support/wait.ts'

test('a socket hands over what it reads, rests where it is told to, and goes on', async () => {
  const path = join(makeScratch(), 'socket')
  const server = createServer((socket) => socket.write('one'))
  server.listen(path)
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const socket = connect(path)
  let text = ''
  await once(socket, 'connect')
  const direct = readDirectly(socket, (bytes) => {
    text += bytes.toString()
    return false
  })
  expect(direct).toBe(true)
  const [other] = (await accepted) as [Socket]
  await waitUntil(() => text === 'one')
  other.write('two')
  socket.resume()
  await waitUntil(() => text === 'onetwo')
  socket.destroy()
  server.close()
})

test('where the insides are others, it says so', () => {
  expect(readDirectly(new PassThrough() as unknown as Socket, () => true)).toBe(false)
})
