// A tool's input and output in words for a transcript: the one field that tells what a call does, otherwise all of it.
// Pure.

/** Fields by how much they tell about a call. */
const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'description']

export function readableInput(input: unknown): string {
  if (typeof input === 'string') return input
  const telling = TELLING.map((key) => readField(input, key)).find((value) => typeof value === 'string')
  return typeof telling === 'string' ? telling : (JSON.stringify(input) ?? '')
}

/** The content of a tool result: text, or blocks, of which only text can be shown. */
export function readableContent(content: unknown): string {
  if (content === undefined || content === null) return ''
  const text = Array.isArray(content) ? content.map(readableBlock).join('\n') : readableBlock(content)
  return text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1')
}

function readableBlock(block: unknown): string {
  if (typeof block === 'string') return block
  const text = readField(block, 'text')
  const type = readField(block, 'type')
  if (typeof text === 'string') return text
  return typeof type === 'string' ? `[${type}]` : (JSON.stringify(block) ?? '')
}

const readField = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined
