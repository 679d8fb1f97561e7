// STAND-IN
export async function redoLast(..._args: unknown[]): Promise<never> {
  throw new Error('not yet')
}
