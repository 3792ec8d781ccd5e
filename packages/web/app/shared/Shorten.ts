/** Shortens long names, but keeps the parts that distinguish them. */

export const fingerprint = (text: string): string => text.slice(0, 6)

export const commit = (text: string): string => text.slice(0, 7)

/** Code points, so that no surrogate pair is cut. */
const charactersOf = (text: string): ReadonlyArray<string> => Array.from(text)

const ELLIPSIS = "…"

/** Cuts a name in the middle, because its end may be the tag of an image. */
export const middle = (text: string, lengthMax: number): string => {
  const characters = charactersOf(text)
  if (characters.length <= lengthMax || lengthMax < 3) return text
  const end = Math.ceil(((lengthMax - 1) * 2) / 3)
  const start = lengthMax - 1 - end
  return [...characters.slice(0, start), ELLIPSIS, ...characters.slice(-end)].join("")
}

/** Shortens the name of an artifact: first drops leading parts of the registry path, then cuts the middle. */
export const artifact = (name: string, lengthMax: number): string => {
  const characters = charactersOf(name)
  if (characters.length <= lengthMax) return name
  const slash = characters.indexOf("/", characters.length - lengthMax + 1)
  return slash < 0 || slash === characters.length - 1
    ? middle(name, lengthMax)
    : [ELLIPSIS, ...characters.slice(slash)].join("")
}

/** A whole number, with separators from 10,000 on. */
export const count = (value: number): string =>
  value > 9_999 ? value.toLocaleString("en") : String(value)
