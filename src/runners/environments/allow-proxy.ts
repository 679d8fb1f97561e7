// The only way out of a box whose network is restricted: a proxy in the host, for HTTP and for tunnels by CONNECT, that
// lets through what the rules name. Names are looked up here, and the address that was checked is the one that is
// connected to. It follows no redirect, and never looks into a tunnel.

import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findRule, type HostRule, isPrivateAddress, namesPrivate, type Target } from './host-rules.ts'

export interface Denial {
  readonly host: string
  readonly port: number
  /** In words. */
  readonly why: string
}

export interface AllowProxy {
  /** What counts from now on, for new connections. */
  setRules(rules: readonly HostRule[]): void
  close(): void
}

export interface ProxyOptions {
  /** Of the Unix socket; nothing may be there. */
  readonly path: string
  readonly rules: readonly HostRule[]
  onDenied(denial: Denial): void
}

/** Connections at a time. */
const MOST = 512
/** Milliseconds for the head of a request, and without a byte in a tunnel. */
const PATIENCE = { head: 30_000, idle: 30 * 60_000 } as const

export async function openAllowProxy({ path, rules, onDenied }: ProxyOptions): Promise<AllowProxy> {
  const gate = createGate(rules, onDenied)
  const open = new Set<Duplex>()
  const server = createServer({ headersTimeout: PATIENCE.head, requestTimeout: 0 })
  server.maxConnections = MOST
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (incoming, answer) => void forward(gate, incoming, answer))
  server.on('connect', (incoming, socket, head) => void tunnel(gate, { incoming, socket, head }))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    setRules: gate.setRules,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

interface Gate {
  setRules(rules: readonly HostRule[]): void
  /** The address to connect to; null where it is refused, which has been told. */
  pass(target: Target): Promise<string | null>
}

function createGate(first: readonly HostRule[], onDenied: (denial: Denial) => void): Gate {
  let rules = first
  const deny = (target: Target, why: string): null => {
    onDenied({ ...target, why })
    return null
  }
  return {
    setRules: (next) => {
      rules = next
    },
    pass: async (target) => {
      const rule = findRule(rules, target)
      if (rule === null) return deny(target, 'not allowed')
      const addresses = await addressesOf(target.host)
      const [address] = namesPrivate(rule) ? addresses : addresses.filter((one) => !isPrivateAddress(one))
      if (address !== undefined) return address
      return deny(target, addresses.length === 0 ? 'no such host' : 'an address of a private network')
    },
  }
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

interface Connecting {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

async function tunnel(gate: Gate, { incoming, socket, head }: Connecting): Promise<void> {
  socket.on('error', () => socket.destroy())
  const target = parseAuthority(incoming.url ?? '')
  if (target === null) return refuse(socket, '400 Bad Request', 'CONNECT needs host:port')
  const address = await gate.pass(target)
  if (address === null) return refuse(socket, '403 Forbidden', refusalOf(target))
  const out = connect({ host: address, port: target.port })
  out.setTimeout(PATIENCE.idle, () => out.destroy())
  out.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) out.write(head)
    join(socket, out)
  })
  out.once('error', (error) => refuse(socket, '502 Bad Gateway', error.message))
}

/** Each ends with the other. */
function join(socket: Duplex, out: Socket): void {
  socket.pipe(out).pipe(socket)
  out.removeAllListeners('error')
  out.on('error', () => socket.destroy())
  socket.once('close', () => out.destroy())
  out.once('close', () => socket.destroy())
}

function refuse(socket: Duplex, status: string, why: string): void {
  const body = `agency: ${why}\n`
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const refusalOf = ({ host, port }: Target): string => `this sandbox may not reach ${host}:${port}`

/** `host:port` and nothing else; null for any other form. */
export function parseAuthority(text: string): Target | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) }
}

/** Headers that belong to one connection alone. */
const HOP_BY_HOP = new Set([
  ...[
    'connection',
    'proxy-connection',
    'proxy-authorization',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'host',
  ],
])

async function forward(gate: Gate, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null
  if (url === null || url.protocol !== 'http:') return say(answer, 400, 'a proxy is asked by http://host/')
  const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port) }
  const address = await gate.pass(target)
  if (address === null) return say(answer, 403, refusalOf(target))
  const kept = Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.has(name))
  const out = request({
    host: address,
    port: target.port,
    method: incoming.method ?? 'GET',
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(kept), host: url.host, connection: 'close' },
    setHost: false,
  })
  out.once('error', (error) => say(answer, 502, error.message))
  out.once('response', (response) => {
    const given = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.has(name))
    answer.writeHead(response.statusCode ?? 502, Object.fromEntries(given))
    response.pipe(answer)
  })
  answer.once('close', () => out.destroy())
  incoming.pipe(out)
}

function say(answer: ServerResponse, status: number, why: string): void {
  if (answer.headersSent) return void answer.destroy()
  answer.writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
  answer.end(`agency: ${why}\n`)
}
