/**
 * Patterns of texts: `*` is any run without separators, `**` is any run; everything else is itself. Pure.
 *
 * The patterns of claims and of trust policies differ only in their separators.
 */

/** The parts of a text that matching reads; a test counts them. */
export type Text = Pick<string, "length" | "charAt" | "startsWith">

type Token = { readonly text: string } | { readonly isDeep: boolean }

const tokensOf = (pattern: string): ReadonlyArray<Token> =>
  pattern
    .split(/(\*+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("*") ? { isDeep: part.length > 1 } : { text: part }))

/** The places of a value that some way through the pattern has reached: 1 for each, its end included. */
type Places = Uint8Array

/** Every place that a run without separators may reach; `**` has no separators. */
const reach = (value: Text, places: Places, separators: string): Places => {
  const reached = new Uint8Array(places.length)
  let isOpen = false
  for (let at = 0; at < places.length; at++) {
    if (places[at] === 1) isOpen = true
    if (isOpen) reached[at] = 1
    if (isOpen && at < value.length && separators.includes(value.charAt(at))) isOpen = false
  }
  return reached
}

const step = (value: Text, places: Places, text: string): Places => {
  const reached = new Uint8Array(places.length)
  for (let at = 0; at + text.length < places.length; at++)
    if (places[at] === 1 && value.startsWith(text, at)) reached[at + text.length] = 1
  return reached
}

/** Whether the whole value fits the pattern; it reads at most their lengths multiplied. */
export const matches = (pattern: string, value: Text, separators: string): boolean => {
  let places: Places = new Uint8Array(value.length + 1)
  places[0] = 1
  for (const token of tokensOf(pattern)) {
    places =
      "text" in token
        ? step(value, places, token.text)
        : reach(value, places, token.isDeep ? "" : separators)
    if (!places.includes(1)) return false
  }
  return places[value.length] === 1
}
