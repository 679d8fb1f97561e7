/** The size of a cell in the picture's units: that of most monospaced fonts at 14. */
export const CELL = { width: 8.4, height: 18 } as const

/** Nobody can see more than two digits. */
export const round = (value: number): number => Math.round(value * 100) / 100
