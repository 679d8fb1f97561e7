import { createServer as createHttp } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Denial, openAllowProxy, parseAuthority } from '../../../src/runners/environments/allow-proxy.ts'
import { parseHostRule } from '../../../src/runners/environments/host-rules.ts'
import { makeScratch } from '../../support/git/repository.ts'

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function makeProxy(rules: (port: number) => readonly string[]) {
  const web = createHttp((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else
      response.end(
        `${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-connection']}`,
      )
  })
  const port = await listening(web)
  const denials: Denial[] = []
  const path = join(makeScratch(), 's')
  const proxy = await openAllowProxy({
    path,
    rules: rules(port).map(parseHostRule),
    onDenied: (denial) => denials.push(denial),
  })
  onTestFinished(() => proxy.close())
  /** Sends bytes and returns all that is answered until the end. */
  const ask = (text: string, more?: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(path)
      let said = ''
      socket.on('data', (chunk) => {
        said += chunk.toString('latin1')
        if (more !== undefined && said.includes('\r\n\r\n')) {
          socket.write(more)
          more = undefined
        }
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(said))
      socket.write(text)
    })
  return { port, denials, proxy, ask }
}

test('an allowed host is reached by a request and through a tunnel', async () => {
  const { port, ask, denials } = await makeProxy((at) => [`127.0.0.1:${at}`])
  const got = await ask(
    `GET http://127.0.0.1:${port}/x HTTP/1.1\r\nHost: other\r\nProxy-Connection: close\r\n\r\n`,
  )
  expect(got).toContain(`GET /x 127.0.0.1:${port} undefined`)
  const tunnelled = await ask(
    `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`,
    'GET /y HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\r\n',
  )
  expect(tunnelled).toContain(' 200 Connection Established')
  expect(tunnelled).toContain('GET /y inner')
  expect(denials).toEqual([])
})

test.each([
  (port: number) => `CONNECT localhost:${port} HTTP/1.1\r\n\r\n`,
  (port: number) => `CONNECT 127.0.0.2:${port} HTTP/1.1\r\n\r\n`,
  (port: number) => `CONNECT 2130706433:${port} HTTP/1.1\r\n\r\n`,
  (port: number) => `CONNECT [::ffff:127.0.0.1]:${port} HTTP/1.1\r\n\r\n`,
  () => 'CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n',
  (port: number) =>
    `GET http://localhost:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
  () => 'GET http://169.254.169.254/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
])('what no rule names is refused, said in words and told: %s', async (request) => {
  const { port, ask, denials } = await makeProxy((at) => [`127.0.0.1:${at}`])
  const said = await ask(request(port))
  expect(said).toMatch(/^HTTP\/1\.1 403 /)
  expect(said).toContain('agency: this sandbox may not reach ')
  expect(denials).toHaveLength(1)
})

test.each([
  'CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n',
  'CONNECT user@127.0.0.1:80 HTTP/1.1\r\n\r\n',
  'CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET https://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
])('what is no request to a proxy is refused: %s', async (request) => {
  const { ask } = await makeProxy((at) => [`127.0.0.1:${at}`, '*'])
  expect(await ask(request)).toMatch(/^HTTP\/1\.1 400 /)
})

test('a rule for names does not lead to an address of a private network', async () => {
  const { port, ask, denials } = await makeProxy((at) => [`*:${at}`])
  expect(await ask(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(await ask(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
  expect(denials.map(({ why }) => why)).toEqual(Array(2).fill('an address of a private network'))
})

test('a redirect is handed on, and not followed', async () => {
  const { port, ask } = await makeProxy((at) => [`127.0.0.1:${at}`])
  const said = await ask(`GET http://127.0.0.1:${port}/away HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect(said).toMatch(/^HTTP\/1\.1 302 /)
  expect(said).toContain('location: http://127.0.0.1:1/')
})

test('new rules count for new connections, without a restart', async () => {
  const { port, ask, proxy } = await makeProxy(() => [])
  const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  expect(await ask(request)).toMatch(/ 403 /)
  proxy.setRules([parseHostRule(`127.0.0.1:${port}`)])
  expect(await ask(request)).toMatch(/ 200 /)
})

test('a peer that says nothing that can be read, or goes away, harms nobody else', async () => {
  const { port, ask } = await makeProxy((at) => [`127.0.0.1:${at}`])
  expect(await ask('\0\x01 nonsense\r\n\r\n')).toMatch(/^(HTTP\/1\.1 400 |$)/)
  const silent = createServer((socket) => socket.destroy())
  const dead = await listening(silent)
  expect(await ask(`CONNECT 127.0.0.1:${dead} HTTP/1.1\r\n\r\n`)).toMatch(/ 403 /)
  const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  expect(await ask(request)).toMatch(/ 200 /)
})

test.each([
  ['a.example:443', { host: 'a.example', port: 443 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['a.example', null],
  ['a b:80', null],
  ['http://a:80', null],
])('%s is the authority %j', (text, target) => {
  expect(parseAuthority(text)).toEqual(target)
})
