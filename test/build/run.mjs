// Runs a program of this repository that is written in TypeScript, because not every Node that we serve can do that by
// itself: `node test/build/run.mjs FILE.ts [ARGUMENT...]`.

import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const [node, , source = '', ...args] = process.argv
const folder = basename(join(source, '..'))
// The program is written where it finds what is installed, and not to dist/, which is shipped.
const outfile = resolve('node_modules', '.cache', 'agency', `${folder}-${basename(source, '.ts')}.mjs`)
buildSync({
  entryPoints: [source],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['esbuild', 'node-pty', '@parcel/watcher', 'term.js', 'pty.js'],
  // Libraries in CommonJS expect these names.
  banner: {
    js: "import{createRequire as bundledRequire}from'node:module';const require=bundledRequire(import.meta.url);const __filename=import.meta.filename;",
  },
  logLevel: 'error',
})
process.argv = [node, outfile, ...args]
await import(pathToFileURL(outfile).href)
