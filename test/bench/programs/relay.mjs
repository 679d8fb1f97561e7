// Two processes of Node that do nothing but pass bytes on, each as soon as it gets them. Any dashboard pays this if a
// process of its own keeps the terminals of its agents. Arguments: `keep` or `show`, the path of the socket between
// them, and for `keep` the program.

import { writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { spawn } from 'node-pty'

/** Dashboard and hosts have this setting too, once they have begun. */
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
  // Ends this process, and with it the other one, when the bench ends.
  process.stdin.resume().on('end', () => process.exit())
}

function show() {
  const host = connect(path)
  process.stdin.setRawMode(true)
  pass(process.stdin, host)
  pass(host, process.stdout)
}

/** So few bytes are always written whole, so nothing waits for the rest. */
function pass(from, to) {
  from.push = (chunk) => chunk === null || writeSync(to._handle.fd, chunk) > 0
  from.resume()
}
