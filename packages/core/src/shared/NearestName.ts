/**
 * The known name that a misspelt one comes closest to, by the number of changed characters.
 *
 * The cost has a bound: a name that is much longer than every known one is not compared.
 */

/**
 * The least number of insertions, deletions, replacements and swaps of neighbours that make one text of the other,
 * where no character is changed twice. Quadratic: only for short texts.
 */
export const distance = (left: string, right: string): number => {
  let before: ReadonlyArray<number> = []
  let above: ReadonlyArray<number> = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isEqual = left[row - 1] === right[column - 1]
      const isSwap = left[row - 2] === right[column - 1] && left[row - 1] === right[column - 2]
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isEqual ? 0 : 1),
          row > 1 && column > 1 && isSwap ? (before[column - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    before = above
    above = current
  }
  return above[right.length] ?? 0
}

/** The most changes between a name and the one that is suggested: a third of its length, and at least one. */
export const changesMax = (known: string): number => Math.max(1, Math.floor(known.length / 3))

/** The closest of the known names within `changesMax`, in any case; the first of several. */
export const find = (name: string, known: ReadonlyArray<string>): string | undefined => {
  let nearest: { readonly name: string; readonly changes: number } | undefined
  for (const candidate of known) {
    const allowed = changesMax(candidate)
    if (Math.abs(candidate.length - name.length) > allowed) continue
    const changes = distance(name.toLowerCase(), candidate.toLowerCase())
    if (changes <= allowed && changes < (nearest?.changes ?? Infinity))
      nearest = { name: candidate, changes }
  }
  return nearest?.name
}
