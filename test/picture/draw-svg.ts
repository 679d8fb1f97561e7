// Draws a screen as an SVG. Text stays text: each run of one style begins at the column of its first cell and is as
// wide as its cells, whatever font the reader has. Frames and bars are drawn as lines, because fonts leave gaps.

import { CELL, round } from './cell-size.ts'
import { BACKGROUND } from './colours.ts'
import { isLine, linesOf } from './line-cells.ts'
import type { PictureCell, Style } from './read-cells.ts'

const FONT = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
const FONT_SIZE = 14
const BASELINE = 13.5
const MARGIN = 12

export function drawSvg(rows: readonly (readonly PictureCell[])[], title: string): string {
  const columns = Math.max(...rows.map((cells) => lastColumn(cells)))
  const [width, height] = [columns * CELL.width + 2 * MARGIN, rows.length * CELL.height + 2 * MARGIN]
  const size = `${round(width)} ${round(height)}`
  const styles = new Classes()
  const drawn = [
    ...rows.flatMap(drawGrounds),
    ...linesOf(rows).map(({ path, style, weight }) =>
      element('path', { d: path, stroke: style.fill, 'stroke-width': weight, opacity: style.dim ? 0.6 : 1 }),
    ),
    ...rows.flatMap((cells, row) => drawText(cells, row, styles)),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${round(width)}" height="${round(height)}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${styles.css()}</style>`,
    `<rect width="100%" height="100%" rx="10" fill="${BACKGROUND}"/>`,
    `<g transform="translate(${MARGIN} ${MARGIN})" xml:space="preserve" font-family="${FONT}" font-size="${FONT_SIZE}">`,
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

interface Run {
  readonly column: number
  readonly text: string
  readonly cells: number
  readonly style: Style
}

function drawGrounds(cells: readonly PictureCell[], row: number): string[] {
  const coloured = cells.filter(({ style }) => style.ground !== null)
  const runs = joinRuns(coloured, (a, b) => a.style.ground === b.style.ground)
  return runs.map(({ column, cells: count, style }) =>
    element('rect', {
      x: round(column * CELL.width),
      y: row * CELL.height,
      width: round(count * CELL.width),
      height: CELL.height,
      fill: style.ground ?? BACKGROUND,
    }),
  )
}

function drawText(cells: readonly PictureCell[], row: number, styles: Classes): string[] {
  const shown = cells.filter((cell) => !isLine(cell.text))
  const same = (a: PictureCell, b: PictureCell): boolean =>
    a.width === b.width && (b.text === ' ' || styles.nameOf(a.style) === styles.nameOf(b.style))
  const runs = joinRuns(shown, same).map(trimRun)
  const spans = runs.flatMap(({ column, text, cells: count, style }) => {
    const place = { x: round(column * CELL.width), textLength: round(count * CELL.width) }
    return text === '' ? [] : [element('tspan', { class: styles.nameOf(style), ...place }, escapeXml(text))]
  })
  const y = round(row * CELL.height + BASELINE)
  return spans.length === 0 ? [] : [element('text', { y }, spans.join(''))]
}

/** Blanks at both ends of a run show nothing. They would if the run were underlined, but none of ours is. */
function trimRun(run: Run): Run {
  const text = run.text.trimStart()
  const before = run.text.length - text.length
  const end = text.trimEnd()
  const cells = run.cells - before - (text.length - end.length)
  return { ...run, column: run.column + before, text: end, cells }
}

function joinRuns(cells: readonly PictureCell[], same: (a: PictureCell, b: PictureCell) => boolean): Run[] {
  const runs: Run[] = []
  let first: PictureCell | undefined
  for (const cell of cells) {
    const run = runs.at(-1)
    if (
      run !== undefined &&
      first !== undefined &&
      run.column + run.cells === cell.column &&
      same(first, cell)
    ) {
      runs[runs.length - 1] = { ...run, text: run.text + cell.text, cells: run.cells + cell.width }
    } else {
      first = cell
      runs.push({ column: cell.column, text: cell.text, cells: cell.width, style: cell.style })
    }
  }
  return runs
}

/** Gives each style a short name, in the order in which styles are met. */
class Classes {
  readonly #names = new Map<string, string>()

  nameOf(style: Style): string {
    const css = cssOf(style)
    const name = this.#names.get(css) ?? `s${this.#names.size}`
    this.#names.set(css, name)
    return name
  }

  css(): string {
    return [...this.#names].map(([css, name]) => `.${name}{${css}}`).join('')
  }
}

function cssOf({ fill, bold, dim, italic, underline, strike }: Style): string {
  const lines = [...(underline ? ['underline'] : []), ...(strike ? ['line-through'] : [])]
  return [
    `fill:${fill}`,
    ...(bold ? ['font-weight:bold'] : []),
    ...(dim ? ['fill-opacity:.6'] : []),
    ...(italic ? ['font-style:italic'] : []),
    ...(lines.length > 0 ? [`text-decoration:${lines.join(' ')}`] : []),
  ].join(';')
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`
}

const lastColumn = (cells: readonly PictureCell[]): number => {
  const last = cells.at(-1)
  return last === undefined ? 0 : last.column + last.width
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
