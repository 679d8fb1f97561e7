// What a program does for a process that may stay open all day, as the dashboard does.

/** Milliseconds until which the first frame is drawn, which need not wait for a spawner. */
const DRAWN = 400

/** Has a small process start all others soon: from one that has grown it takes longer. `spawnerEntry` is of its bundle. */
export function growOld(spawnerEntry: string): void {
  setTimeout(() => void startBySpawner(spawnerEntry), DRAWN).unref()
}

async function startBySpawner(spawnerEntry: string): Promise<void> {
  const [{ startProcessesBy }, { remoteSpawner }] = await Promise.all([
    import('../core/doors/spawner/run-process.ts'),
    import('../core/doors/spawner/remote-spawner.ts'),
  ])
  startProcessesBy(remoteSpawner(spawnerEntry))
}
