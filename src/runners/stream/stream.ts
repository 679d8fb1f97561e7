// From the name of an output format to a parser for it.

import type { StreamParserFactory } from '../../core/model/runner.ts'
import { createClaudeParser } from '../claude/claude-stream.ts'
import { createCodexParser } from '../codex/codex-stream.ts'
import { createTextParser } from './text-stream.ts'

const PARSERS = { claude: createClaudeParser, codex: createCodexParser, text: createTextParser } as const

export const createStreamParser: StreamParserFactory = (format) => PARSERS[format]()
