// The links that cells and the pen refer to. The emulator forgets a link with the last line that it was written on, so
// these lines belong to it.

import type { StateReader, StateWriter } from './state-bytes.ts'
import type { InnerBuffer, InnerLink, Insides } from './xterm-insides.ts'

export interface LinkState {
  readonly id: number
  readonly name: string | undefined
  readonly uri: string
  /** Lines of the normal and of the alternate screen, counted from the first that is carried. */
  readonly lines: readonly [normal: readonly number[], alternate: readonly number[]]
}

const LARGEST = 0xffffffff
const LONGEST_TEXT = 40_000_000
const MOST_LINKS = 1 << 22

/** `first` is the first line of the normal screen that is carried. */
export function writeLinks(
  writer: StateWriter,
  { buffers, _oscLinkService }: Insides,
  { ids, first }: { readonly ids: ReadonlySet<number>; readonly first: number },
): void {
  const links = [...ids].flatMap((id) => _oscLinkService._dataByLinkId.get(id) ?? [])
  const normal = new Set(buffers.normal.markers)
  writer.number(links.length)
  for (const { id, data, lines } of links) {
    writer.number(id)
    writer.number(data.id === undefined ? 0 : 1)
    writer.text(data.id ?? '')
    writer.text(data.uri)
    const onNormal = lines.filter((marker) => normal.has(marker))
    const onAlternate = lines.filter((marker) => !normal.has(marker))
    writeLineNumbers(
      writer,
      onNormal.map(({ line }) => line - first).filter((line) => line >= 0),
    )
    writeLineNumbers(
      writer,
      onAlternate.map(({ line }) => line).filter((line) => line >= 0),
    )
  }
}

function writeLineNumbers(writer: StateWriter, lines: readonly number[]): void {
  writer.number(lines.length)
  for (const line of lines) writer.number(line)
}

export function readLinks(reader: StateReader, mostLines: number): LinkState[] {
  const readLineNumbers = (): number[] =>
    Array.from({ length: reader.number(mostLines) }, () => reader.number(mostLines))
  return Array.from({ length: reader.number(MOST_LINKS) }, () => {
    const id = reader.number(LARGEST)
    const named = reader.number(1) === 1
    const name = reader.text(LONGEST_TEXT)
    return {
      id,
      name: named ? name : undefined,
      uri: reader.text(LONGEST_TEXT),
      lines: [readLineNumbers(), readLineNumbers()] as const,
    }
  })
}

/** Forgets all links from before. */
export function loadLinks({ buffers, _oscLinkService: links }: Insides, states: readonly LinkState[]): void {
  links._dataByLinkId = new Map()
  links._entriesWithId = new Map()
  for (const { id, name, uri, lines } of states) {
    const data = { id: name, uri }
    const link: InnerLink = { id, key: name === undefined ? '' : links._getEntryIdKey(data), data, lines: [] }
    const mark = (buffer: InnerBuffer, line: number): void => {
      const marker = buffer.addMarker(line)
      link.lines.push(marker)
      marker.onDispose(() => links._removeMarkerFromLink(link, marker))
    }
    for (const line of lines[0]) mark(buffers.normal, line)
    for (const line of lines[1]) mark(buffers.alt, line)
    links._dataByLinkId.set(id, link)
    if (name !== undefined) links._entriesWithId.set(link.key, link)
  }
}
