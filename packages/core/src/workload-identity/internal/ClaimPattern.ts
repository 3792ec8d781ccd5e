/** Patterns of claims: `*` is any run without `:` and `/`, `**` is any run; everything else is itself. Pure. */

/** The most characters of a pattern. */
export const PATTERN_LENGTH_MAX = 512

type Token = { readonly text: string } | { readonly isDeep: boolean }

const tokensOf = (pattern: string): ReadonlyArray<Token> =>
  pattern
    .split(/(\*+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("*") ? { isDeep: part.length > 1 } : { text: part }))

/** The places of a value that some way through the pattern has reached: 1 for each, its end included. */
type Places = Uint8Array

/** Every place that a run may reach from the given ones. */
const reach = (value: string, places: Places, isDeep: boolean): Places => {
  const reached = new Uint8Array(places.length)
  let isOpen = false
  for (let at = 0; at < places.length; at++) {
    if (places[at] === 1) isOpen = true
    if (isOpen) reached[at] = 1
    const character = value.charAt(at)
    if (!isDeep && (character === ":" || character === "/")) isOpen = false
  }
  return reached
}

const step = (value: string, places: Places, text: string): Places => {
  const reached = new Uint8Array(places.length)
  for (let at = 0; at + text.length < places.length; at++)
    if (places[at] === 1 && value.startsWith(text, at)) reached[at + text.length] = 1
  return reached
}

/** Whether the whole value fits the pattern; the time is at most their lengths multiplied. */
export const matches = (pattern: string, value: string): boolean => {
  let places: Places = new Uint8Array(value.length + 1)
  places[0] = 1
  for (const token of tokensOf(pattern))
    places = "text" in token ? step(value, places, token.text) : reach(value, places, token.isDeep)
  return places[value.length] === 1
}

/** Whether a pattern has no wildcard. */
export const isExact = (pattern: string): boolean => !pattern.includes("*")

/** The segments between `:` and `/` that hold no wildcard. */
export const fixedSegments = (pattern: string): number =>
  pattern.split(/[:/]/).filter((segment) => segment !== "" && isExact(segment)).length
