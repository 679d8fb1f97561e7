// A path between quotes, as git reads it in its own lists and streams.

export const quotePath = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
