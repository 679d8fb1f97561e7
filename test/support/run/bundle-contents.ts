// Tells what is in a bundle that the build makes.

import { build } from 'esbuild'

/** Paths from the repository's root. */
export async function bundleContents(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    external: ['node-pty', '@parcel/watcher', 'term.js', 'pty.js'],
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
}

/** Undefined for a file of ours. */
export const packageOf = (path: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
