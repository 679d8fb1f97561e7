// What is in dist/: every bundle by name, and what each kind of bundle is. This table is the only place that knows
// where the programs begin.

import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

interface Bundle {
  readonly name: string
  /** A file of ours, or a package. */
  readonly source: string
  readonly kind: Kind
}

/**
 * - `command` is run by node itself. It is small, and compiled anew each time.
 * - `kept` is run by load-program.ts, from what V8 compiled of it when it was built. Its libraries are in it.
 * - `sharing` is the same, but it reads LIBRARIES from their own files when it first uses them.
 * - `library` is a package that a `sharing` bundle reads late.
 */
type Kind = 'command' | 'kept' | 'sharing' | 'library'

export const BUNDLES: readonly Bundle[] = [
  { name: 'agency', source: 'src/ui/main.ts', kind: 'command' },
  { name: 'host', source: 'src/runners/host/main.ts', kind: 'command' },
  { name: 'spawner', source: 'src/core/doors/spawner/main.ts', kind: 'command' },
  { name: 'host', source: 'src/runners/host/run-host.ts', kind: 'kept' },
  { name: 'program', source: 'src/ui/program.ts', kind: 'sharing' },
  { name: 'screen', source: 'src/ui/screen-program.ts', kind: 'sharing' },
  { name: 'execa', source: 'execa', kind: 'library' },
  { name: 'xterm', source: '@xterm/headless', kind: 'library' },
  { name: 'graphemes', source: '@xterm/addon-unicode-graphemes', kind: 'library' },
]

const LIBRARIES = BUNDLES.filter(({ kind }) => kind === 'library')

/** Packages that are written in C++ are found where they are installed. */
const NATIVE = ['node-pty', '@parcel/watcher']
/** Only parts of blessed that nobody runs want these. */
const UNUSED = ['term.js', 'pty.js']

const EVERY: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // Node has these escapes. Without this, each expression with one is made anew when the program begins.
  supported: { 'regexp-unicode-property-escapes': true },
  minifySyntax: true,
  minifyWhitespace: true,
  external: [...NATIVE, ...UNUSED],
  logLevel: 'error',
}

/** A function with the arguments of a CommonJS module, so that load-program.ts has to put nothing around it. */
const KEPT: BuildOptions = {
  ...EVERY,
  supported: { ...EVERY.supported, 'dynamic-import': false },
  banner: { js: '(function(exports,require,module,__filename,__dirname){' },
  footer: { js: '})' },
}

const KINDS: Readonly<Record<Kind, { readonly extension: string; readonly options: BuildOptions }>> = {
  command: {
    extension: '.js',
    options: {
      ...EVERY,
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    },
  },
  kept: { extension: '.cjs', options: KEPT },
  sharing: {
    extension: '.cjs',
    options: {
      ...KEPT,
      alias: Object.fromEntries(LIBRARIES.map(({ name, source }) => [source, `./${name}.cjs`])),
      external: [...NATIVE, ...UNUSED, './*.cjs'],
    },
  },
  library: { extension: '.cjs', options: EVERY },
}

/** Writes all bundles into `dist`, beside what is there. `plugins` see each file that goes into a bundle. */
export async function writeBundles(dist: string, plugins: readonly Plugin[] = []): Promise<void> {
  await Promise.all(
    BUNDLES.map(({ name, source, kind }) => {
      const { extension, options } = KINDS[kind]
      const outfile = join(resolve(dist), `${name}${extension}`)
      return build({ ...options, entryPoints: [source], outfile, plugins: [...plugins] })
    }),
  )
}
