// STAND-IN
export async function undoLast(..._args: unknown[]): Promise<never> {
  throw new Error('not yet')
}
