// The replacement for a character on a terminal that shows only ASCII. Each takes one cell, so nothing moves.

const SAME: Readonly<Record<string, string>> = {
  '-': '─━┄┅┈┉╌╍═╴╶╸╺‐‑‒–—―⎯−',
  '|': '│┃┆┇┊┋╎╏║╵╷╹╻¦▏▎▍▕⎿',
  '#': '█▉▊▋▓▒▀▄▌▐■▪⬛',
  '.': '…·․░▁▂•∙⋅⠂',
  ':': '▃∶',
  '*': '●⏺◉★✱✳✶✻✽∗◆',
  o: '○◯◦◌⚬',
  '>': '▶▸►›→❯»⇒➜⟩',
  '<': '◀◂◄‹←❮«⇐⟨',
  '^': '▲▴△↑⌃',
  v: '▼▾▽↓⌄✓✔',
  x: '✗✘✕×✖',
  '"': '“”„‟″',
  "'": '‘’‚‛′´',
  '?': '¿�',
  '!': '¡⚠',
  '~': '≈∼⁓',
  '=': '≡',
  '@': '⌘',
}

const GLYPHS = new Map(
  Object.entries(SAME).flatMap(([ascii, glyphs]) => [...glyphs].map((glyph) => [glyph, ascii] as const)),
)

/** One printable character of ASCII. */
export function asciiOf(text: string): string {
  const [first = ' '] = text
  const known = GLYPHS.get(first)
  if (known !== undefined) return known
  const code = first.codePointAt(0) ?? 0
  if (code >= 0x2500 && code <= 0x257f) return '+'
  if (code === 0xa0) return ' '
  const base = first.normalize('NFKD').charAt(0)
  return base >= ' ' && base <= '~' ? base : '?'
}
