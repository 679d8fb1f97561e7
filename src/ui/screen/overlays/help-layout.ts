// Where the help stands.

import type { Rect, Size } from '../scene.ts'
import { centre } from './popup.ts'

/** Two borders and the line that is typed in. */
const CHROME = 3

export const helpRect = (screen: Size): Rect => centre(screen, { columns: 100, rows: screen.rows })

export const helpRows = (rect: Rect): number => Math.max(1, rect.height - CHROME)
