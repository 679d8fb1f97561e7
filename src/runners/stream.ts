// The parsers of what runners print. Every line is output until the formats are known.

import type { StreamParserFactory } from '../core/model/runner.ts'

export const streamParser: StreamParserFactory = () => ({
  parseLine: (line, at) => [{ at, kind: 'output', stream: 'stdout', text: line }],
})
