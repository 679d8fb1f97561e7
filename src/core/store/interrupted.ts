// Whether a verb is at work on a tree, or was killed there. This is asked before every verb, so it reads no record.

import { existsSync } from 'node:fs'
import type { RepoPaths } from './paths.ts'

export const isRestoring = ({ restoring }: RepoPaths): boolean => existsSync(restoring)

export const isInterrupted = (paths: RepoPaths): boolean => existsSync(paths.journal) || isRestoring(paths)
