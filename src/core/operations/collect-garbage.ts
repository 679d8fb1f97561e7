// STAND-IN
export async function collectGarbage(..._args: unknown[]): Promise<never> {
  throw new Error('not yet')
}
