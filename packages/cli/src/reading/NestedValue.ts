/**
 * Prints a nested value of the API on one line for people: members by name, products by product name, and webhook
 * URLs without their path.
 */
import * as Json from "../shared/Json.js"
import * as ProductNames from "./ProductNames.js"

/** WHY: the path of a webhook URL is a secret; programs get it with `--output json`. */
const withoutPath = (address: string): string => {
  const [, origin] = /^(https?:\/\/[^/?#\s]+)[/?#]./.exec(address) ?? []
  return origin === undefined ? address : `${origin}/…`
}

const FIRST = ["name", "identifier", "number", "id", "fingerprint"]

const rankOf = (name: string): string => {
  const at = FIRST.indexOf(name)
  return `${at < 0 ? FIRST.length : at} ${name}`
}

/**
 * The members of an object: identifying members first, the rest sorted by name.
 *
 * WHY: the order of stored members differs between stores and means nothing.
 */
export const ordered = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Json.members(value)
    .map(([name, member]) => ({ name, member, rank: rankOf(name) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .map(({ name, member }) => [name, member])

const inOrder = (name: string, value: unknown): unknown => {
  if (name === "webhook" && typeof value === "string") return withoutPath(value)
  if (name === "type" && typeof value === "string") return ProductNames.ofTarget(value)
  return Json.isObject(value) ? Object.fromEntries(ordered(value)) : value
}

/** The value as one line of JSON. */
export const print = (value: unknown): string => JSON.stringify(value, inOrder)
