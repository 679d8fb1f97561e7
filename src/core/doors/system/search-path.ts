// Where programs that agency itself runs are looked for. A relative entry of PATH means a directory below the one that
// the program is started in, and git is started in an agent's tree: `./node_modules/.bin/git` would run as the person.

import { delimiter, isAbsolute } from 'node:path'

const DEFAULT_PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** PATH without its relative and empty entries. */
export const searchPath = (env: NodeJS.ProcessEnv): string =>
  (env['PATH'] ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute).join(delimiter)
