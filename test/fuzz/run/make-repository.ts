// Makes the repository of a case, in the layout and with the ingredients that were planned.

import { formatDeeds } from '../plan/deed.ts'
import type { World } from '../plan/world.ts'
import type { CasePlace } from './place.ts'
import { runScript } from './script.ts'

const BASE = {
  name: 'base',
  script: "w README.md; w d/x; w d/y; printf '*.ignored\\nignored-dir/\\n' > .gitignore",
}
const COMMIT = { name: 'start', script: 'commit; git repack -q 2>/dev/null; true' }

const SUBMODULE = (format: string): string => `
git init -q --object-format=${format} "$OUT/sub" && cd "$OUT/sub" && echo base > s && git add s && git commit -qm s
git clone -q --bare "$OUT/sub" "$OUT/sub.git"; rm -rf "$OUT/sub"
`

/** The empty repository. */
export async function initRepository(place: CasePlace, { format, layout }: World): Promise<void> {
  const init = `git init -q --object-format=${format}`
  const origin = `(${init} "$OUT/origin" && cd "$OUT/origin" && for i in 1 2 3; do echo $i > o; git add o; git commit -qm $i; done)`
  const clone = 'git clone -q'
  const script = {
    plain: `${init} .`,
    bare: `${init} "$OUT/origin"`,
    separate: `${init} --separate-git-dir ../separate .`,
    shallow: `${origin}; ${clone} --depth 1 "file://$OUT/origin" .`,
    alternates: `${origin}; ${clone} -s "$OUT/origin" .`,
  }[layout]
  await runScript(place, {
    name: 'init',
    cwd: place.here,
    actor: 'person',
    script: `${SUBMODULE(format)}\ncd "$HERE"\n${script}`,
  })
}

/** Its first commit, and what makes it strange. */
export async function fillRepository(place: CasePlace, { layout, ingredients }: World): Promise<void> {
  const script = formatDeeds('base', [BASE, ...ingredients, COMMIT])
  const run = { name: 'fill', actor: 'person' } as const
  if (layout !== 'bare') {
    await runScript(place, { ...run, cwd: place.here, script })
    return
  }
  await runScript(place, { ...run, cwd: `${place.out}/origin`, script })
  await runScript(place, {
    ...run,
    cwd: place.here,
    script: 'git clone -q --bare "$OUT/origin" .; git remote remove origin',
  })
}
