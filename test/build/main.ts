// `npm run build`: makes dist/ anew.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBundles } from './bundles.ts'
import { keepCode } from './keep-code.ts'

const DIST = 'dist'

rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
writeFileSync(join(DIST, 'package.json'), JSON.stringify({ type: 'commonjs' }))
await writeBundles(DIST)
await keepCode(DIST)
