// Has a small process start programs for this one. Until that process is up, and once it is gone, this one starts them.

import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { unreachable } from '../../model/unreachable.ts'
import { OWN_NODE_SETTINGS } from '../system/own-node.ts'
import { spawnHere } from './local-spawner.ts'
import type { Order, Report } from './messages.ts'
import type { OpenProcess, ProcessEnd, Spawner, SpawnRequest } from './spawner.ts'
import { startChild } from './start-child.ts'

/** The small process holds nothing but the output that is being read. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size']

interface Tell {
  started: (pid: number | undefined) => void
  ended: (end: ProcessEnd) => void
}

interface WaitingStart {
  readonly stdout: PassThrough
  readonly tell: Tell
}

/** `entryPath` is the path of the built src/core/doors/spawner/main.ts. */
export function remoteSpawner(entryPath: string): Spawner {
  const remote = new Remote(entryPath)
  return (request) => (remote.isReady ? remote.start(request) : spawnHere(request))
}

class Remote {
  /** null where it could not be started. */
  readonly #child: ChildProcess | null
  readonly #waiting = new Map<number, WaitingStart>()
  #next = 1
  #ready = false

  constructor(entryPath: string) {
    // The child has a process group of its own, so that no Ctrl-C at the terminal reaches it.
    const started = startChild(() =>
      spawn(process.execPath, [...NODE_FLAGS, entryPath], {
        cwd: '/',
        detached: true,
        env: { ...process.env, ...OWN_NODE_SETTINGS },
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    )
    this.#child = 'child' in started ? started.child : null
    this.#child?.on('message', (report: Report) => this.#hear(report))
    this.#child?.on('error', () => this.#lose())
    this.#child?.on('disconnect', () => this.#lose())
    this.#child?.unref()
    this.#child?.channel?.unref()
  }

  get isReady(): boolean {
    return this.#ready
  }

  start(request: SpawnRequest): OpenProcess {
    const id = this.#next++
    const stdout = new PassThrough()
    const tell: Tell = { started: () => {}, ended: () => {} }
    const pid = new Promise<number | undefined>((resolve) => {
      tell.started = resolve
    })
    const ended = new Promise<ProcessEnd>((resolve) => {
      tell.ended = resolve
    })
    this.#waiting.set(id, { stdout, tell })
    // As long as somebody waits for an answer, this process stays alive.
    this.#child?.channel?.ref()
    this.#send({ kind: 'start', id, request })
    return {
      pid,
      stdout,
      write: (input) => this.#send({ kind: 'write', id, input }),
      end: (input) => this.#send({ kind: 'end', id, input }),
      ended,
    }
  }

  #send(order: Order): void {
    if (this.#child?.connected === true) this.#child.send(order, () => {})
  }

  #hear(report: Report): void {
    switch (report.kind) {
      case 'ready':
        this.#ready = true
        break
      case 'started':
        this.#waiting.get(report.id)?.tell.started(report.pid)
        break
      case 'output':
        this.#waiting.get(report.id)?.stdout.write(report.bytes)
        break
      case 'ended':
        this.#finish(report.id, report.end)
        break
      default:
        unreachable(report)
    }
  }

  #finish(id: number, end: ProcessEnd): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#child?.channel?.unref()
    waiting?.stdout.end()
    waiting?.tell.started(undefined)
    waiting?.tell.ended(end)
  }

  /** Nobody knows how the programs ended that it had started. So their callers are told that they failed. */
  #lose(): void {
    this.#ready = false
    const nothing = Buffer.alloc(0)
    const end = { exitCode: undefined, code: 'EPIPE', signal: undefined, stdout: nothing, stderr: nothing }
    for (const id of [...this.#waiting.keys()]) this.#finish(id, end)
  }
}
