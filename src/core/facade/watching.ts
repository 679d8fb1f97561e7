// What somebody who watches all day asks for, and is told.

import type { CheckpointTally } from '../model/checkpoint.ts'
import type { InvocationId } from '../model/ids.ts'
import type { BrokenInvocation } from '../model/invocation.ts'
import type { InvocationView } from './agency.ts'

export interface SurveyOptions {
  /** Only these, instead of all. One that does not exist is left out. */
  readonly only?: readonly InvocationId[]
  /** Leaves out landed and discarded ones, which are most in the end. */
  readonly open_only?: boolean
  /** Those that need not be looked at. */
  readonly skip?: ReadonlySet<InvocationId>
}

export interface SurveyedInvocation extends InvocationView {
  /** null if there are none, or their list cannot be read. */
  readonly checkpoints: CheckpointTally | null
}

export interface Survey {
  /** Oldest first. */
  readonly invocations: readonly SurveyedInvocation[]
  readonly broken: readonly BrokenInvocation[]
  /** The ones that `open_only` has left out. */
  readonly closed: readonly InvocationId[]
}
