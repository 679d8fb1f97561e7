// Two processes of Node that do nothing but pass bytes on, each within the event that brings them: what any dashboard
// pays whose agents' terminals are kept by a process of their own. Arguments: `keep` or `show`, the path of the socket
// between them, and for `keep` the program.

import { writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { spawn } from 'node-pty'

/** As dashboard and hosts have it, once they have begun. */
setTimeout(() => setFlagsFromString('--interrupt-budget=3000'), 1000)

const [role, path, program = ''] = process.argv.slice(2)
if (role === 'keep') keep()
else show()

function keep() {
  const { _socket: terminal } = spawn('sh', ['-c', program], { cols: 150, rows: 50, encoding: null })
  createServer((client) => {
    pass(client, terminal)
    pass(terminal, client)
  }).listen(path)
  // Both are gone when the bench is.
  process.stdin.resume().on('end', () => process.exit())
}

function show() {
  const host = connect(path)
  process.stdin.setRawMode(true)
  pass(process.stdin, host)
  pass(host, process.stdout)
}

/** Few bytes: what is written is written whole. */
function pass(from, to) {
  from.push = (chunk) => chunk === null || writeSync(to._handle.fd, chunk) > 0
  from.resume()
}
