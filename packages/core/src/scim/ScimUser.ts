/**
 * A person as the SCIM client of an org describes them (RFC 7643, section 4.1). Pure and total.
 *
 * The service reads few attributes and keeps the others as they were sent. A password is dropped unread.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as Dictionary from "../shared/Dictionary.js"
import { OrgId, ScimId, UserId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import type { Filtered } from "./ScimFilter.js"
import {
  booleanOf,
  type Fields,
  fold,
  isFields,
  memberOf,
  optionalTextOf,
  type Read,
  refuse,
  textOf
} from "./ScimJson.js"
import { ATTRIBUTES_LENGTH_MAX } from "./ScimPatch.js"

/** The most characters of a user name and of an external id. */
export const NAME_LENGTH_MAX = 255

/** The schema of users. */
export const SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User"

/** A person as the SCIM client of an org describes them. */
export const ScimUser = Schema.Struct({
  org_id: OrgId,
  id: ScimId,
  user_id: UserId,
  external_id: Schema.NullOr(Schema.String),
  user_name: Schema.String,
  /** Whether the client wants the person to be a member whose membership counts. */
  active: Schema.Boolean,
  /** What the client has sent besides. */
  attributes: Dictionary.make({ key: Schema.String, value: Schema.Unknown, members: {} }),
  created_at: Timestamp,
  updated_at: Timestamp
})
/** A person as the SCIM client of an org describes them. */
export type ScimUser = typeof ScimUser.Type

/** What a client says about a person. */
export interface UserInput {
  readonly userName: string
  readonly externalId: string | null
  /** Undefined where the client does not say. */
  readonly active: boolean | undefined
  readonly attributes: Fields
}

/** Attributes with columns of their own, those that the service decides, and the password. */
const APART: ReadonlySet<string> = new Set([
  "id",
  "meta",
  "schemas",
  "groups",
  "roles",
  "password",
  "username",
  "externalid",
  "active"
])

/** The person of a body. */
export const read = (body: Fields): Read<UserInput> =>
  Either.gen(function* () {
    const userName = yield* textOf(memberOf(body, "userName"), "userName", NAME_LENGTH_MAX)
    const externalId = yield* optionalTextOf(
      memberOf(body, "externalId"),
      "externalId",
      NAME_LENGTH_MAX
    )
    const said = memberOf(body, "active")
    const active =
      said === undefined || said === null ? undefined : yield* booleanOf(said, "active")
    const attributes = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => !APART.has(fold(name)) && value !== null)
    )
    if (JSON.stringify(attributes).length > ATTRIBUTES_LENGTH_MAX)
      return yield* refuse(
        "invalidValue",
        `attributes have at most ${ATTRIBUTES_LENGTH_MAX} characters`
      )
    return { userName, externalId, active, attributes }
  })

const text = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null

/** The name that the client shows for a person. */
export const displayNameOf = (attributes: Fields): string | null => {
  const shown = text(memberOf(attributes, "displayName"))
  const name = memberOf(attributes, "name")
  if (shown !== null || !isFields(name)) return shown
  const parts = [text(memberOf(name, "givenName")), text(memberOf(name, "familyName"))]
  return text(memberOf(name, "formatted")) ?? text(parts.filter((part) => part !== null).join(" "))
}

/** The addresses of a person. */
export const emailsOf = (attributes: Fields): NonNullable<Filtered["emails"]> => {
  const emails = memberOf(attributes, "emails")
  return (Array.isArray(emails) ? emails : []).flatMap((each: unknown) => {
    const value = isFields(each) ? text(memberOf(each, "value")) : text(each)
    const type = isFields(each) ? text(memberOf(each, "type")) : null
    return value === null ? [] : [{ value, type }]
  })
}

/** The address to write to: the primary one, else one for work, else the first. */
export const emailOf = (attributes: Fields): string | null => {
  const emails = memberOf(attributes, "emails")
  const list: ReadonlyArray<unknown> = Array.isArray(emails) ? emails : []
  const primary = list.find((each) => isFields(each) && memberOf(each, "primary") === true)
  const known = emailsOf(attributes)
  return (
    (isFields(primary) ? text(memberOf(primary, "value")) : null) ??
    known.find(({ type }) => type !== null && fold(type) === "work")?.value ??
    known[0]?.value ??
    null
  )
}

/** A person as filters see them. */
export const filtered = (user: ScimUser): Filtered => ({
  id: user.id,
  externalId: user.external_id,
  userName: user.user_name,
  displayName: displayNameOf(user.attributes),
  active: user.active,
  emails: emailsOf(user.attributes)
})

/** A person as the body that a client would send. */
export const bodyOf = ({ active, attributes, external_id, user_name }: ScimUser): Fields => ({
  userName: user_name,
  ...(external_id === null ? {} : { externalId: external_id }),
  active,
  ...attributes
})

/** A person after what a client says; what the client leaves out about `active` stays. */
export const revised = (current: ScimUser, input: UserInput, at: Timestamp): ScimUser => {
  const next: ScimUser = {
    ...current,
    user_name: input.userName,
    external_id: input.externalId,
    active: input.active ?? current.active,
    attributes: input.attributes
  }
  return CanonicalJson.equals(next, current) ? current : { ...next, updated_at: at }
}

/** The login of a person's new user, where it is free. */
export const loginOf = (org: string, userName: string): string => `${org}:${userName}`
