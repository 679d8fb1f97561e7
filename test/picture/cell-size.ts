/** Of one cell, in the picture's units: that of most monospaced fonts at 14. */
export const CELL = { width: 8.4, height: 18 } as const

/** Two digits are finer than anyone can see. */
export const round = (value: number): number => Math.round(value * 100) / 100
