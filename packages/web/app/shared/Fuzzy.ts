/** Ranks how well a text matches typed letters: consecutive matches rank above scattered ones. */

const isBoundary = (text: string, index: number): boolean =>
  index === 0 || !/[a-z0-9]/.test(text[index - 1] ?? "")

/** Matches the letters of the query in order. Each gap costs, except before the start of a word. */
const scatteredScore = (text: string, query: string): number | undefined => {
  let score = 0
  let from = 0
  for (const letter of query) {
    const at = text.indexOf(letter, from)
    if (at < 0) return undefined
    score += isBoundary(text, at) ? 0 : at - from
    from = at + 1
  }
  return 100 + score
}

/** A score that is lower for a better match; undefined if the text does not match. Case-insensitive. */
export const score = (text: string, query: string): number | undefined => {
  const [lowText, lowQuery] = [text.toLowerCase(), query.trim().toLowerCase()]
  if (lowQuery === "") return undefined
  if (lowText === lowQuery) return 0
  const at = lowText.indexOf(lowQuery)
  if (at === 0) return 1
  if (at > 0) return isBoundary(lowText, at) ? 2 : 10
  return scatteredScore(lowText, lowQuery.replaceAll(" ", ""))
}

/** The matching items, best first; ties keep their order. */
export const best = <A>(
  items: ReadonlyArray<A>,
  query: string,
  options: { readonly textOf: (item: A) => string; readonly limit: number }
): ReadonlyArray<A> =>
  items
    .flatMap((item) => {
      const found = score(options.textOf(item), query)
      return found === undefined ? [] : [{ item, found }]
    })
    .sort((one, other) => one.found - other.found)
    .slice(0, options.limit)
    .map(({ item }) => item)
