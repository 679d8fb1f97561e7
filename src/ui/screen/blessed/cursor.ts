// The cursor on the person's terminal, and the sequences that bring it from one state to another.

export interface CursorState {
  readonly visible: boolean
  readonly x: number
  readonly y: number
  /** As in DECSCUSR; 0 is the terminal's own. */
  readonly shape: number
}

export const HIDDEN_CURSOR: CursorState = { visible: false, x: 0, y: 0, shape: 0 }

/** `displaced`: to draw cells, the cursor was hidden and moved. */
export function formatCursorMove(before: CursorState, after: CursorState, displaced: boolean): string {
  const shape = before.shape === after.shape ? '' : `\x1b[${after.shape} q`
  if (!after.visible) return before.visible && !displaced ? `${shape}\x1b[?25l` : shape
  const same = before.visible && before.x === after.x && before.y === after.y && !displaced
  return shape + (same ? '' : `\x1b[${after.y + 1};${after.x + 1}H\x1b[?25h`)
}
