/**
 * The filters of SCIM lists that clients send: `eq` and `and` on a few attributes (RFC 7644, section 3.4.2.2). Pure,
 * total, in one pass and without recursion.
 *
 * A list is the resources for which `matches` holds; a store that selects by itself must agree with it.
 */
import * as Either from "effect/Either"
import { fold, type Read, refuse } from "./ScimJson.js"

/** The most characters of a filter. */
export const FILTER_LENGTH_MAX = 2_048
/** The most terms of a filter. */
export const TERMS_MAX = 20

/** What a filter asks about. */
export type FilterAttribute =
  | "id"
  | "userName"
  | "externalId"
  | "displayName"
  | "active"
  | "emails.value"
  | "emails.work"
  | "members.value"

/** One condition; values of attributes that are compared in any case are folded. */
export interface Term {
  readonly attribute: FilterAttribute
  readonly value: string | boolean
}

/** All conditions must hold; without one, every resource passes. */
export type ScimFilter = ReadonlyArray<Term>

/** What filters of users can ask about. */
export const OF_USERS: ReadonlySet<FilterAttribute> = new Set([
  "id",
  "userName",
  "externalId",
  "displayName",
  "active",
  "emails.value",
  "emails.work"
])

/** What filters of groups can ask about. */
export const OF_GROUPS: ReadonlySet<FilterAttribute> = new Set([
  "id",
  "externalId",
  "displayName",
  "members.value"
])

/** Attributes whose values are compared as they are. */
const EXACT: ReadonlySet<FilterAttribute> = new Set(["id", "externalId", "members.value"])

const NAMES = new Map<string, FilterAttribute>([
  ["id", "id"],
  ["username", "userName"],
  ["externalid", "externalId"],
  ["displayname", "displayName"],
  ["active", "active"],
  ["emails", "emails.value"],
  ["emails.value", "emails.value"],
  ["members", "members.value"],
  ["members.value", "members.value"]
])

const SPACES = / */y
const WORK_EMAIL = /emails\[ *type +eq +"work" *\]\.value/iy
const ATTRIBUTE = /(?:urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):)?([A-Za-z.]+)/iy
const EQUALS = /eq(?= )/iy
const VALUE = /"(?:[^"\\]|\\.)*"|true|false/iy
const AND = /and(?= )/iy

/** The text from a place on that fits a sticky pattern, and the place behind it. */
const take = (
  pattern: RegExp,
  text: string,
  at: number
): { readonly found: RegExpExecArray; readonly end: number } | undefined => {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found === null ? undefined : { found, end: at + found[0].length }
}

const skip = (text: string, at: number): number => take(SPACES, text, at)?.end ?? at

const READ = [...new Set(NAMES.values())].join(", ")

const invalid = (at: number) =>
  refuse(
    "invalidFilter",
    `the filter is not read at character ${at + 1}: use eq and and, on ${READ}`
  )

const attributeAt = (
  text: string,
  at: number
): { name: FilterAttribute; end: number } | undefined => {
  const work = take(WORK_EMAIL, text, at)
  if (work !== undefined) return { name: "emails.work", end: work.end }
  const plain = take(ATTRIBUTE, text, at)
  const name = NAMES.get(fold(plain?.found[1] ?? ""))
  return plain === undefined || name === undefined ? undefined : { name, end: plain.end }
}

const literalOf = (text: string): unknown =>
  Either.getOrUndefined(
    Either.try((): unknown => JSON.parse(text.startsWith('"') ? text : fold(text)))
  )

/** The value of a condition in the form in which it is compared; undefined for a value of another type. */
const comparable = (attribute: FilterAttribute, value: unknown): string | boolean | undefined => {
  if (attribute === "active") {
    if (typeof value === "boolean") return value
    const text = typeof value === "string" ? fold(value) : ""
    return text === "true" ? true : text === "false" ? false : undefined
  }
  if (typeof value !== "string") return undefined
  return EXACT.has(attribute) ? value : fold(value)
}

/** Reads a filter about some attributes. */
export const parse = (text: string, known: ReadonlySet<FilterAttribute>): Read<ScimFilter> => {
  if (text.length > FILTER_LENGTH_MAX)
    return refuse("invalidFilter", `a filter has at most ${FILTER_LENGTH_MAX} characters`)
  const terms: Array<Term> = []
  let at = skip(text, 0)
  for (;;) {
    const attribute = attributeAt(text, at)
    if (attribute === undefined || !known.has(attribute.name)) return invalid(at)
    const equals = take(EQUALS, text, skip(text, attribute.end))
    if (equals === undefined) return invalid(skip(text, attribute.end))
    const place = skip(text, equals.end)
    const literal = take(VALUE, text, place)
    if (literal === undefined) return invalid(place)
    const value = comparable(attribute.name, literalOf(literal.found[0]))
    if (value === undefined) return invalid(place)
    terms.push({ attribute: attribute.name, value })
    if (terms.length > TERMS_MAX)
      return refuse("invalidFilter", `a filter has at most ${TERMS_MAX} conditions`)
    at = skip(text, literal.end)
    if (at === text.length) return Either.right(terms)
    const and = take(AND, text, at)
    if (and === undefined) return invalid(at)
    at = skip(text, and.end)
  }
}

/** What filters ask a resource. */
export interface Filtered {
  readonly id: string
  readonly externalId: string | null
  readonly userName?: string
  readonly displayName: string | null
  readonly active?: boolean
  readonly emails?: ReadonlyArray<{ readonly value: string; readonly type: string | null }>
  readonly members?: ReadonlyArray<string>
}

const holds = (resource: Filtered, { attribute, value }: Term): boolean => {
  switch (attribute) {
    case "id":
      return resource.id === value
    case "externalId":
      return resource.externalId === value
    case "userName":
      return resource.userName !== undefined && fold(resource.userName) === value
    case "displayName":
      return resource.displayName !== null && fold(resource.displayName) === value
    case "active":
      return resource.active === value
    case "emails.value":
      return resource.emails?.some((email) => fold(email.value) === value) === true
    case "emails.work":
      return (
        resource.emails?.some(
          (email) =>
            email.type !== null && fold(email.type) === "work" && fold(email.value) === value
        ) === true
      )
    case "members.value":
      return typeof value === "string" && resource.members?.includes(value) === true
  }
}

/** Whether a resource passes a filter. */
export const matches = (filter: ScimFilter, resource: Filtered): boolean =>
  filter.every((term) => holds(resource, term))
