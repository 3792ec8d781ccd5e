/** The answers of SCIM: resources, lists and errors as JSON texts. RFC 7644, sections 3.4 and 3.12 */
import { MEDIA_TYPE } from "@attestry/api/ScimApi"
import type { ScimGroup } from "@attestry/core/ScimGroups"
import { type Fields, fold } from "@attestry/core/ScimJson"
import type { ScimType } from "@attestry/core/ScimProblem"
import { type ScimUser, SCHEMA as USER_SCHEMA } from "@attestry/core/ScimUser"
import { type Timestamp, toSeconds } from "@attestry/core/Timestamp"
import { type OutgoingResponse, textOf } from "../../shared/HttpMessage.js"

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error"
/** The schema of groups. */
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group"

/** The address of the SCIM endpoints of an org. */
export const addressOf = (base: string, org: string): string => `${base}/api/v2/scim/${org}`

const instant = (at: Timestamp): string => new Date(toSeconds(at) * 1_000).toISOString()

const metaOf = (
  resourceType: "User" | "Group",
  { address, id }: { readonly address: string; readonly id: string },
  times: { readonly created: Timestamp; readonly lastModified: Timestamp }
): Fields => ({
  resourceType,
  created: instant(times.created),
  lastModified: instant(times.lastModified),
  location: `${address}/${resourceType}s/${id}`
})

/** A user as a resource. */
export const userOf = (user: ScimUser, address: string): Fields => ({
  schemas: [USER_SCHEMA, ...Object.keys(user.attributes).filter((name) => /^urn:/i.test(name))],
  id: user.id,
  ...(user.external_id === null ? {} : { externalId: user.external_id }),
  userName: user.user_name,
  active: user.active,
  ...user.attributes,
  meta: metaOf(
    "User",
    { address, id: user.id },
    { created: user.created_at, lastModified: user.updated_at }
  )
})

/** A group as a resource. */
export const groupOf = ({ members, team }: ScimGroup, address: string): Fields => ({
  schemas: [GROUP_SCHEMA],
  id: team.id,
  ...(team.external_id === null ? {} : { externalId: team.external_id }),
  displayName: team.group_name,
  ...(members === null
    ? {}
    : {
        members: members.map(({ id, user_name }) => ({
          value: id,
          display: user_name,
          $ref: `${address}/Users/${id}`
        }))
      }),
  meta: metaOf(
    "Group",
    { address, id: team.id },
    { created: team.created_at, lastModified: team.created_at }
  )
})

/** Attributes that every answer has. */
const ALWAYS: ReadonlySet<string> = new Set(["schemas", "id", "meta"])

const namesOf = (text: string | undefined): ReadonlySet<string> | undefined =>
  text === undefined || text.trim() === ""
    ? undefined
    : new Set(text.split(",").map((name) => fold(name.trim().split(".")[0] ?? "")))

/** What of a resource a request wants to see. */
export interface Wanted {
  readonly attributes?: string
  readonly excludedAttributes?: string
}

/** Whether an attribute is shown. */
export const isShown = (name: string, { attributes, excludedAttributes }: Wanted): boolean =>
  ALWAYS.has(name) ||
  ((namesOf(attributes)?.has(fold(name)) ?? true) &&
    namesOf(excludedAttributes)?.has(fold(name)) !== true)

/** A resource with the attributes that a request wants to see. */
export const shown = (resource: Fields, wanted: Wanted): Fields =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name, wanted)))

/** One slice of a list. */
export const listText = (
  resources: ReadonlyArray<Fields>,
  { startIndex, total }: { readonly startIndex: number; readonly total: number }
): string =>
  JSON.stringify({
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources
  })

/** An error. */
export const errorText = (
  status: number,
  detail: string,
  scimType?: ScimType | "uniqueness"
): string =>
  JSON.stringify({
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail
  })

const detailOf = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== "object" || body === null) return text
    const { errors, message }: { errors?: unknown; message?: unknown } = body
    const problems =
      typeof errors === "object" && errors !== null
        ? Object.entries(errors).map(([field, problem]) => `${field}: ${problem}`)
        : []
    return [String(message ?? ""), ...problems].filter((each) => each !== "").join("; ")
  } catch {
    return text
  }
}

/** The response of an error in the form of SCIM; other responses are as they were. */
export const withScimError = (response: OutgoingResponse): OutgoingResponse => {
  const { body, headers, status } = response
  const text = textOf(body)
  if (status < 400 || text === undefined || headers["content-type"] === MEDIA_TYPE) return response
  return {
    status,
    headers: { ...headers, "content-type": MEDIA_TYPE },
    body: errorText(status, detailOf(text), status === 400 ? "invalidSyntax" : undefined)
  }
}
