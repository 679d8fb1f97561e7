// The tree that a grammar makes of a text, as lines of spans with our meanings.

import { type Span, span } from '../../text/line.ts'
import type { SyntaxMeaning } from '../../text/theme.ts'

/** The part of a hast node that is used. */
interface SyntaxNode {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly SyntaxNode[]
}

/** By highlight.js's scopes; null makes it plain again, inside of something that has a colour. */
const MEANINGS: Readonly<Record<string, SyntaxMeaning | null>> = {
  'hljs-keyword': 'syntax_keyword',
  'hljs-selector-tag': 'syntax_keyword',
  'hljs-name': 'syntax_keyword',
  'hljs-section': 'syntax_keyword',
  'hljs-string': 'syntax_string',
  'hljs-regexp': 'syntax_string',
  'hljs-code': 'syntax_string',
  'hljs-char': 'syntax_string',
  'hljs-number': 'syntax_number',
  'hljs-literal': 'syntax_number',
  'hljs-symbol': 'syntax_number',
  'hljs-bullet': 'syntax_number',
  'hljs-comment': 'syntax_comment',
  'hljs-quote': 'syntax_comment',
  'hljs-meta': 'syntax_comment',
  'hljs-type': 'syntax_type',
  'hljs-built_in': 'syntax_type',
  'hljs-class': 'syntax_type',
  'hljs-selector-class': 'syntax_type',
  'hljs-selector-id': 'syntax_type',
  'hljs-title': 'syntax_function',
  'hljs-attr': 'syntax_function',
  'hljs-attribute': 'syntax_function',
  'hljs-subst': null,
}

export function readSyntax(nodes: readonly SyntaxNode[]): Span[][] {
  const lines: Span[][] = [[]]
  const add = (text: string, as: SyntaxMeaning | null): void => {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push(as === null ? part : span(part, as))
    })
  }
  const walk = (node: SyntaxNode, around: SyntaxMeaning | null): void => {
    if (node.type === 'text') add(node.value ?? '', around)
    const own = meaningOf(node.properties?.className)
    for (const child of node.children ?? []) walk(child, own === undefined ? around : own)
  }
  for (const node of nodes) walk(node, null)
  return lines
}

/** For class names such as `['hljs-title', 'class_']`. undefined: they say nothing about the meaning. */
function meaningOf(className: unknown): SyntaxMeaning | null | undefined {
  const names: readonly unknown[] = Array.isArray(className) ? className : []
  if (names.includes('class_')) return 'syntax_type'
  const [scope] = names
  return typeof scope === 'string' ? MEANINGS[scope] : undefined
}
