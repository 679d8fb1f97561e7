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

/** Clients that have joined the terminal. Whoever comes then is told so. */
const MOST_JOINED = 32
/**
 * Those that have not: they greet, ask for an end or type something, and go. Whoever comes then takes the place of the one
 * that has been silent for longest. So no crowd keeps the person from ending a runner.
 */
const MOST_OTHERS = 32
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
  const joined = (): number => [...clients.values()].filter((client) => client.hasJoined()).length
  const served: Served = {
    terminal,
    end: endOnRequest,
    clients: () => clients.size,
    hasRoom: () => joined() < MOST_JOINED,
  }
  const server = createServer((socket) => {
    if (!makeRoom(clients)) return void socket.destroy()
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

/** False where all of them wait for an answer of ours. */
function makeRoom(clients: Map<Socket, ClientConnection>): boolean {
  const others = [...clients].filter(([, client]) => !client.hasJoined())
  if (others.length < MOST_OTHERS) return true
  const silent = others.find(([, client]) => client.isIdle())?.[0]
  if (silent === undefined) return false
  clients.delete(silent)
  silent.destroy()
  return true
}

/** If a killed host has left its file, it is deleted: this invocation has no other host. */
async function listen(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, FILE_MODE)
}
