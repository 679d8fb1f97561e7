// What a person may have meant by a name that does not exist.

/** The name that needs the fewest changes of letters; null if none is similar. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const wanted = typed.toLowerCase()
  const allowed = Math.max(typed.length < 4 ? 1 : 2, typed.length / 3)
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase())
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) {
      best = { name, distance }
    }
  }
  return best?.name ?? null
}

/** How many letters have to be inserted, left out or exchanged. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let y = 1; y <= from.length; y += 1) {
    const next = [y]
    for (let x = 1; x <= to.length; x += 1) {
      const exchanged = (row[x - 1] ?? 0) + (from[y - 1] === to[x - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[x] ?? 0) + 1, (next[x - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
