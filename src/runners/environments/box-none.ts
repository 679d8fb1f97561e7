// No isolation: the runner is executed as it was planned, and sees what the person sees.

import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import type { Box } from './box.ts'

export const boxNone: Box = {
  grants: [],
  preflight: async (environment) => (environment.outputs === 'open' ? [] : [UNENFORCED]),
  inside: (path) => path,
  open: async () => ({ wrap: (plan) => plan, prove: async () => [], close: async () => {} }),
}

const UNENFORCED: PreflightFailure = {
  code: 'E_OUTPUTS_UNENFORCEABLE',
  message: "without a box (isolation 'none') the network cannot be closed",
  hint: 'use: --isolation os, or --network open',
}
