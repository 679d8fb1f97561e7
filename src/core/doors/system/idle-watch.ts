// Ends a program that waits for something that never comes: git, where an agent has put a pipe in the place of a file
// that git opens. How long work takes nobody can say, on a busy machine least of all. So what counts is not time, but
// whether the program, or one that it has started, does anything at all.

import type { OpenProcess, ProcessEnd } from '../spawner/spawner.ts'
import { type ProcWork, readProcWork } from './proc-table.ts'

export interface Patience {
  /** Milliseconds without any work after which a program is ended. */
  readonly idle: number
  /**
   * The same where the system does not tell what a program does, and where it waits for one of another name: that may wait
   * for a network.
   */
  readonly blind: number
  /** Name of the programs that wait for nothing but files. Without it, any of them. */
  readonly own?: string
}

/** In the place of an errno. */
export const STUCK = 'STUCK'

/** Milliseconds between two looks. A program that ends before the first one costs nothing. */
const LOOK = 1000
/** Milliseconds for the last output of a program that was ended. Whatever else it has started may hold that open. */
const LAST_WORDS = 1000

/**
 * Its end, with the code STUCK if it was ended because it did nothing. It may rest where nobody has asked it for
 * anything. Never rejects.
 */
export async function awaitWorking(
  open: OpenProcess,
  patience: Patience,
  isAsked: () => boolean = () => true,
): Promise<ProcessEnd> {
  const watch = watchWork(patience, isAsked)
  void open.pid.then(watch.begin)
  const end = await Promise.race([open.ended, watch.lastWords])
  watch.close()
  return watch.gaveUp() ? STUCK_END : end
}

function watchWork(patience: Patience, isAsked: () => boolean) {
  let looking: NodeJS.Timeout | null = null
  let closed = false
  let stuck = false
  let stopWaiting = (_end: ProcessEnd): void => {}
  const lastWords = new Promise<ProcessEnd>((resolve) => {
    stopWaiting = resolve
  })
  const close = (): void => {
    closed = true
    if (looking !== null) clearInterval(looking)
  }
  const begin = (pid: number | undefined): void => {
    if (closed || pid === undefined) return
    const isIdle = countIdle(pid, patience, isAsked)
    looking = setInterval(() => {
      if (!isIdle()) return
      close()
      stuck = true
      for (const { pid: one } of [...worksOf(pid)].reverse()) endProcess(one)
      setTimeout(() => stopWaiting(STUCK_END), LAST_WORDS)
    }, LOOK).unref()
  }
  return { lastWords, begin, close, gaveUp: () => stuck }
}

const NOTHING = Buffer.alloc(0)
const STUCK_END: ProcessEnd = {
  exitCode: undefined,
  code: STUCK,
  signal: undefined,
  stdout: NOTHING,
  stderr: NOTHING,
}

/** Counts looks and not the time: of a machine that slept, or of our own process, if it was kept busy. */
function countIdle(pid: number, { idle, blind, own }: Patience, isAsked: () => boolean): () => boolean {
  let before = ''
  let looks = 0
  return () => {
    const works = worksOf(pid)
    const now = works.map(({ pid: one, ticks }) => `${one}:${ticks}`).join()
    const rests = isAsked() && now === before && works.every(({ waits }) => waits)
    before = now
    looks = rests ? looks + 1 : 0
    const isOwn = works.length > 0 && works.every(({ name }) => own === undefined || name === own)
    return looks * LOOK >= (isOwn ? idle : blind)
  }
}

/** Of the program and of all that it has started; none where the system does not tell. */
function worksOf(pid: number): readonly ProcWork[] {
  const work = process.platform === 'linux' ? readProcWork(pid) : null
  return work === null ? [] : [work, ...work.children.flatMap(worksOf)]
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
