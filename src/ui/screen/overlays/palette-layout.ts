// Where the palette is. It keeps its height while there are fewer and fewer matches, so that nothing jumps.

import type { Rect, Size } from '../scene.ts'
import { centre } from './popup.ts'

const WIDEST = 84
const HIGHEST = 24
/** Two borders, the line that is typed in, and the line below the list. */
const CHROME = 4

export const paletteRect = (state: { readonly entries: readonly unknown[] }, screen: Size): Rect =>
  centre(screen, { columns: WIDEST, rows: Math.min(HIGHEST, state.entries.length + CHROME) })

export const listRows = (rect: Rect): number => Math.max(1, rect.height - CHROME)
