// The messages between a large process and the small one that starts programs for it. Each start has a number.

import type { ProcessEnd, SpawnRequest } from './spawner.ts'

export type Order =
  | { readonly kind: 'start'; readonly id: number; readonly request: SpawnRequest }
  | { readonly kind: 'write'; readonly id: number; readonly input: string | Uint8Array }
  | { readonly kind: 'end'; readonly id: number; readonly input: string | Uint8Array | undefined }

export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number | undefined }
  | { readonly kind: 'output'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ended'; readonly id: number; readonly end: ProcessEnd }
