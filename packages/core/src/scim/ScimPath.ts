/**
 * Paths of SCIM patches: `active`, `name.givenName`, `emails[type eq "work"].value`, and the same below the URN of a
 * schema (RFC 7644, section 3.5.2). Pure, total and without recursion.
 */
import * as Either from "effect/Either"
import { fold, isName, type Read, refuse } from "./ScimJson.js"

/** The most characters of a path. */
export const PATH_LENGTH_MAX = 2_048

/** The condition of elements of a list. */
export interface Selection {
  readonly attribute: string
  readonly value: string | boolean
}

/** A path to an attribute, to elements of it, or to a part of it or of them. */
export interface ScimPath {
  /** The URN of the extension that has the attribute; null for the schema of the resource. */
  readonly extension: string | null
  readonly attribute: string
  readonly selection: Selection | null
  readonly part: string | null
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
/** The URN of an extension as a whole, as a key of a value without a path. */
const WHOLE = /:(?:User|Group)$/i
const PLAIN = /^([A-Za-z][A-Za-z0-9$_-]*)(?:\[([^[\]]*)\])?(?:\.([A-Za-z][A-Za-z0-9$_-]*))?$/
const CONDITION = /^ *([A-Za-z][A-Za-z0-9$_-]*) +eq +("(?:[^"\\]|\\.)*"|true|false) *$/i

const invalid = (path: string) =>
  refuse("invalidPath", `the path \`${path.slice(0, 100)}\` is not read`)

const selectionOf = (text: string): Selection | undefined => {
  const [, attribute, literal] = CONDITION.exec(text) ?? []
  if (attribute === undefined || literal === undefined) return undefined
  const value = Either.getOrUndefined(
    Either.try((): unknown => JSON.parse(literal.startsWith('"') ? literal : fold(literal)))
  )
  return typeof value === "string" || typeof value === "boolean" ? { attribute, value } : undefined
}

/** Where the names of an extension end and those of its attribute begin; -1 without an extension. */
const endOfUrn = (path: string): number => {
  const bracket = path.indexOf("[")
  return path.lastIndexOf(":", bracket < 0 ? path.length : bracket)
}

/** Reads a path. */
export const parse = (path: string): Read<ScimPath> => {
  if (path.length > PATH_LENGTH_MAX)
    return refuse("invalidPath", `a path has at most ${PATH_LENGTH_MAX} characters`)
  const own = path.replace(CORE, "")
  const isUrn = /^urn:/i.test(own)
  if (isUrn && WHOLE.test(own))
    return isName(own)
      ? Either.right({ extension: null, attribute: own, selection: null, part: null })
      : invalid(path)
  const end = isUrn ? endOfUrn(own) : -1
  const extension = end < 0 ? null : own.slice(0, end)
  const [, attribute, condition, part] = PLAIN.exec(own.slice(end + 1)) ?? []
  if (attribute === undefined || (extension !== null && !isName(extension))) return invalid(path)
  const selection = condition === undefined ? null : selectionOf(condition)
  if (selection === undefined) return invalid(path)
  return Either.right({ extension, attribute, selection, part: part ?? null })
}
