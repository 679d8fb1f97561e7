// How an invocation is called on borders: `b7c9 claude`, or by the name that the person gave it.

import { shortId } from '../../../core/model/ids.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'

export const nameOf = ({ record }: ObservedInvocation): string =>
  `${shortId(record.invocation_id)} ${record.invocation_name === '' ? record.runner : record.invocation_name}`
