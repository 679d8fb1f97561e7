// Stands at the end of a dispatch over a union. If a member of the union is not handled, the code does not compile.

export function unreachable(value: never): never {
  throw new Error(`there is no such thing as ${JSON.stringify(value)}`)
}
