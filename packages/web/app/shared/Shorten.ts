/** Shorter forms of long names, which keep the distinguishing parts. */

/** The first characters of a fingerprint. */
export const fingerprint = (text: string): string => text.slice(0, 6)

/** The first characters of a commit. */
export const commit = (text: string): string => text.slice(0, 7)

/** Whole characters, so that no pair of surrogates is cut. */
const charactersOf = (text: string): ReadonlyArray<string> => Array.from(text)

const ELLIPSIS = "…"

/** A name cut in the middle: its end, which has the tag of an image, stays. */
export const middle = (text: string, lengthMax: number): string => {
  const characters = charactersOf(text)
  if (characters.length <= lengthMax || lengthMax < 3) return text
  const end = Math.ceil(((lengthMax - 1) * 2) / 3)
  const start = lengthMax - 1 - end
  return [...characters.slice(0, start), ELLIPSIS, ...characters.slice(-end)].join("")
}

/** The name of an artifact: its registry goes first, in whole parts, and then its middle. */
export const artifact = (name: string, lengthMax: number): string => {
  const characters = charactersOf(name)
  if (characters.length <= lengthMax) return name
  const slash = characters.indexOf("/", characters.length - lengthMax + 1)
  return slash < 0 || slash === characters.length - 1
    ? middle(name, lengthMax)
    : [ELLIPSIS, ...characters.slice(slash)].join("")
}

/** A whole number, grouped from 10,000 on. */
export const count = (value: number): string =>
  value > 9_999 ? value.toLocaleString("en") : String(value)
