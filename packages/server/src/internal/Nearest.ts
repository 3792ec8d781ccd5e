/** Finds the known name with the smallest edit distance to an unknown one. */

/** The Levenshtein distance of two texts. */
const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[right.length] ?? 0
}

/** Longer names get no suggestion. */
const LENGTH_MAX = 64

/** The nearest of the known names; `undefined` when its distance exceeds a third of the name's length. */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > LENGTH_MAX) return undefined
  const [best] = known
    .map((candidate) => ({ candidate, far: distance(name, candidate) }))
    .sort((one, other) => one.far - other.far)
  return best !== undefined && best.far <= Math.max(2, name.length / 3) ? best.candidate : undefined
}

/** `: did you mean …?`, or an empty text. */
export const hint = (name: string, known: ReadonlyArray<string>): string => {
  const found = nearest(name, known)
  return found === undefined ? "" : `: did you mean \`${found}\`?`
}
