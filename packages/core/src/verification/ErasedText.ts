/** The texts of erased values, and values without them. Pure. */
import { ERASED } from "../journal/ErasedMembers.js"
import type { Json } from "../shared/CanonicalJson.js"

/** A shorter text is only replaced where it is a whole value: as a part it would be found in any other text. */
export const PART_MIN = 3

/** The texts in a value, at any depth; empty ones tell nothing. */
export const textsOf = (value: Json): ReadonlyArray<string> => {
  if (typeof value === "string") return value === "" ? [] : [value]
  if (typeof value !== "object" || value === null) return []
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf)
}

/** What JSON that has the text contains. */
export const partOf = (text: string): string => {
  const quoted = JSON.stringify(text)
  return text.length < PART_MIN ? quoted : quoted.slice(1, -1)
}

const without = (value: string, text: string): string =>
  text.length < PART_MIN ? (value === text ? ERASED : value) : value.split(text).join(ERASED)

/** A value in whose texts the erased ones are replaced. */
export const erased = (value: unknown, texts: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return texts.reduce(without, value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => erased(each, texts))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, erased(member, texts)])
  )
}
