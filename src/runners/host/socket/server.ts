// Where a host listens: a socket that only the person can open.

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { ExecEnd } from '../../../core/doors/spawner/exec.ts'
import { FILE_MODE } from '../../../core/doors/system/files.ts'
import type { LiveTerminal } from '../inside/running.ts'
import { encodeFrame } from '../protocol.ts'
import { type ClientConnection, type Served, serveClient } from './client-connection.ts'

export interface HostServer {
  /** Tells every client the end and stops listening. The socket's file is deleted. */
  close(exit: ExecEnd): Promise<void>
}

export interface ServerOptions {
  readonly path: string
  readonly terminal: LiveTerminal | null
  readonly end: (how: 'stop' | 'kill') => Promise<boolean>
}

const MOST_CLIENTS = 32
/** Milliseconds for clients to take the last frames. */
const FAREWELL_PATIENCE = 1000

export async function startServer({ path, terminal, end }: ServerOptions): Promise<HostServer> {
  const clients = new Map<Socket, ClientConnection>()
  const requests = new Set<Promise<boolean>>()
  const endOnRequest = (how: 'stop' | 'kill'): Promise<boolean> => {
    const request = end(how)
    requests.add(request)
    return request
  }
  const served: Served = { terminal, end: endOnRequest, clients: () => clients.size }
  const server = createServer((socket) => {
    if (clients.size >= MOST_CLIENTS) return void socket.destroy()
    clients.set(socket, serveClient(socket, served))
    socket.once('close', () => clients.delete(socket))
  })
  await listen(server, path)
  terminal?.listen((bytes) => {
    if (clients.size === 0) return
    const frame = encodeFrame({ type: 'data', bytes })
    for (const client of clients.values()) client.output(frame)
  })
  return {
    close: async (exit) => {
      const closed = once(server, 'close')
      server.close()
      rmSync(path, { force: true })
      // Whoever has asked for the end gets an answer before all clients are told.
      await Promise.allSettled(requests)
      for (const client of clients.values()) client.exit(exit)
      const timer = setTimeout(() => {
        for (const socket of clients.keys()) socket.destroy()
      }, FAREWELL_PATIENCE)
      await closed
      clearTimeout(timer)
    },
  }
}

/** If a killed host has left its file, it is deleted: this invocation has no other host. */
async function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, FILE_MODE)
}
