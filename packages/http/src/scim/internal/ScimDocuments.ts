/** What this service offers to SCIM clients: its features, resources and their attributes. RFC 7643, 5 to 7 */

import type { Fields } from "@attestry/core/ScimJson"
import { OPERATIONS_MAX } from "@attestry/core/ScimPatch"
import { SCHEMA as USER_SCHEMA } from "@attestry/core/ScimUser"
import { GROUP_SCHEMA } from "./ScimAnswer.js"

/** Differences of an attribute from a text that can be read and written. */
interface Differences {
  readonly type?: "string" | "boolean" | "complex" | "reference"
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: "readOnly" | "readWrite" | "writeOnly"
  readonly uniqueness?: "none" | "server"
  readonly returned?: "default" | "always" | "never"
  readonly subAttributes?: ReadonlyArray<Fields>
  readonly referenceTypes?: ReadonlyArray<string>
}

const attribute = (name: string, description: string, differences: Differences = {}): Fields => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...differences
})

const EXTERNAL_ID = attribute("externalId", "The id of the resource at the client.", {
  caseExact: true,
  uniqueness: "server"
})

const USER: ReadonlyArray<Fields> = [
  attribute("userName", "The name of the person at the identity provider.", {
    required: true,
    uniqueness: "server"
  }),
  EXTERNAL_ID,
  attribute("displayName", "The name that is shown."),
  attribute("name", "The parts of the name.", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The whole name."),
      attribute("givenName", "The given name."),
      attribute("familyName", "The family name.")
    ]
  }),
  attribute("emails", "The addresses of the person.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The address."),
      attribute("type", "What it is for, such as work."),
      attribute("primary", "Whether it is the preferred one.", { type: "boolean" })
    ]
  }),
  attribute("active", "Whether the person is a member whose membership counts.", {
    type: "boolean"
  })
]

const GROUP: ReadonlyArray<Fields> = [
  attribute("displayName", "The name of the group.", { required: true, uniqueness: "server" }),
  EXTERNAL_ID,
  attribute("members", "The people in the group.", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The id of a user.", { caseExact: true }),
      attribute("display", "The name of the user.", { mutability: "readOnly" }),
      attribute("$ref", "The address of the user.", {
        type: "reference",
        referenceTypes: ["User"],
        mutability: "readOnly"
      })
    ]
  })
]

const SCHEMA_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema"
const TYPE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
const CONFIG_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"

const UNSUPPORTED = { supported: false } as const

/** The documents of an org. */
export const make = (address: string) => {
  const schema = (id: string, name: string, attributes: ReadonlyArray<Fields>): Fields => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    attributes,
    meta: { resourceType: "Schema", location: `${address}/Schemas/${id}` }
  })
  const resourceType = (name: string, id: string): Fields => ({
    schemas: [TYPE_SCHEMA],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: id,
    meta: { resourceType: "ResourceType", location: `${address}/ResourceTypes/${name}` }
  })
  const config: Fields = {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { ...UNSUPPORTED, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: UNSUPPORTED,
    sort: UNSUPPORTED,
    etag: UNSUPPORTED,
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "API key",
        description: `A key of an admin account as a bearer token; at most ${OPERATIONS_MAX} operations in a patch.`,
        primary: true
      }
    ],
    meta: {
      resourceType: "ServiceProviderConfig",
      location: `${address}/ServiceProviderConfig`
    }
  }
  return {
    config,
    resourceTypes: [resourceType("User", USER_SCHEMA), resourceType("Group", GROUP_SCHEMA)],
    schemas: [schema(USER_SCHEMA, "User", USER), schema(GROUP_SCHEMA, "Group", GROUP)]
  } as const
}
