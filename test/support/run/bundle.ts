// Bundles programs of ours as they are shipped, for tests that need a real process. They are put where they last as long
// as the run: what a helper has bundled serves each of the test files that share its process.

import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Returns the path of the bundled program. `entry` is relative to the repository. */
export async function bundleProgram(entry: string): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'bundle-'))
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
  // The program finds here what is not bundled.
  symlinkSync(join(ROOT, 'node_modules'), join(outdir, 'node_modules'))
  await build({
    entryPoints: [join(ROOT, entry)],
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // Only parts of blessed that nobody runs want the last two.
    external: ['node-pty', '@parcel/watcher', 'term.js', 'pty.js'],
    banner: {
      js: "import{createRequire as bundledRequire}from'node:module';const require=bundledRequire(import.meta.url);const __filename=import.meta.filename;",
    },
  })
  return join(outdir, basename(entry).replace(/\.ts$/, '.js'))
}
