// Names that git may refuse to track: `.git` in any spelling that some file system takes for it. git fast-import takes
// them all the same, and then no git checks them out again. Pure.

/** Spellings with dots, blanks or streams behind them, the short names of other systems, and letters nobody sees. */
const REFUSED = /(?:^|[/\\])\.git(?:$|[/\\:. ])|~\d|[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/i

/** Of a path as text or raw. May be true of a name that git takes after all. */
export const mayBeRefused = (path: string): boolean => REFUSED.test(path)
