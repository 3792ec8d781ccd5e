/** Patterns of claims: `*` is any run without `:` and `/`, `**` is any run; everything else is itself. Pure. */

/** The most characters of a pattern. */
export const PATTERN_LENGTH_MAX = 512

type Token = { readonly text: string } | { readonly isDeep: boolean }

const tokensOf = (pattern: string): ReadonlyArray<Token> =>
  pattern
    .split(/(\*+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("*") ? { isDeep: part.length > 1 } : { text: part }))

/** Every place that a run may reach from the given ones. */
const reach = (value: string, places: ReadonlySet<number>, isDeep: boolean): Set<number> => {
  const reached = new Set<number>()
  let isOpen = false
  for (let at = 0; at <= value.length; at++) {
    if (places.has(at)) isOpen = true
    if (isOpen) reached.add(at)
    const character = value.charAt(at)
    if (!isDeep && (character === ":" || character === "/")) isOpen = false
  }
  return reached
}

const step = (value: string, places: ReadonlySet<number>, text: string): Set<number> => {
  const reached = new Set<number>()
  for (const at of places) if (value.startsWith(text, at)) reached.add(at + text.length)
  return reached
}

/** Whether the whole value fits the pattern; the time is at most their lengths multiplied. */
export const matches = (pattern: string, value: string): boolean => {
  let places = new Set([0])
  for (const token of tokensOf(pattern)) {
    places = "text" in token ? step(value, places, token.text) : reach(value, places, token.isDeep)
    if (places.size === 0) return false
  }
  return places.has(value.length)
}

/** Whether a pattern has no wildcard. */
export const isExact = (pattern: string): boolean => !pattern.includes("*")

/** The segments between `:` and `/` that hold no wildcard. */
export const fixedSegments = (pattern: string): number =>
  pattern.split(/[:/]/).filter((segment) => segment !== "" && isExact(segment)).length
