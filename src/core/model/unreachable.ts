// The end of a dispatch over a union whose members have all been handled: with one that has not, it does not compile.

export function unreachable(value: never): never {
  throw new Error(`there is no such thing as ${JSON.stringify(value)}`)
}
