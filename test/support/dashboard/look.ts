// What tests give to views.

import type { Look } from '../../../src/ui/screen/scene.ts'

export const LOOK: Look = { now: new Date('2026-01-02T03:04:05Z'), focused: true, ascii: false, tick: 0 }
