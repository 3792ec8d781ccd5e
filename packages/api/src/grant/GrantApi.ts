/** The operations of grants: roles of people, teams and service accounts in spaces. SPEC §4.31 */
import { GRANTS_MAX, GRANTS_OF_SUBJECT_MAX, Reason, SubjectKind } from "@attestry/core/Grant"
import { optional } from "@attestry/core/OptionalField"
import { Role } from "@attestry/core/Role"
import { SpacePath } from "@attestry/core/Space"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"
import { GrantSubjectName } from "./GrantSubjectName.js"

/** The range of the column in the database. */
const NUMBER_MAX = 2_147_483_647

/** The most characters of the name of a subject. */
const SUBJECT_NAME_LENGTH_MAX = 256

const SubjectName = Schema.String.pipe(Schema.maxLength(SUBJECT_NAME_LENGTH_MAX))

/** A grant to give. */
export const PutGrant = Schema.Struct({
  subject: Schema.Struct({
    kind: SubjectKind,
    name: optional(SubjectName).annotations({
      description: "The login of a user, or the name of a team or an account; not for everyone."
    })
  }).annotations({ identifier: "PutGrantSubject" }),
  space: SpacePath.annotations({
    description:
      "The path of the space in which, and below which, it gives the role; `/` is the whole org."
  }),
  role: Role,
  eligible: optional(Schema.Boolean).annotations({
    description:
      "Whether it gives nothing by itself, but lets the subject open break-glass; false by default."
  }),
  expires_at: optional(EpochSeconds).annotations({
    description: "When it ends by itself; without it, when an admin ends it."
  }),
  reason: optional(Reason)
}).annotations({ identifier: "PutGrant" })

/** A grant. */
export const GrantResponse = Schema.Struct({
  number: Schema.Int,
  subject: GrantSubjectName,
  space: Schema.String.annotations({
    description: "The path of the space; empty where the space was deleted."
  }),
  role: Role,
  eligible: Schema.Boolean.annotations({
    description: "Whether it gives nothing by itself, but lets the subject open break-glass."
  }),
  expires_at: Schema.NullOr(EpochSeconds),
  reason: Schema.String,
  given_at: EpochSeconds,
  ended_at: Schema.NullOr(EpochSeconds).annotations({
    description: "When an admin ended it; null before."
  })
}).annotations({ identifier: "Grant" })

/** Filters of the list of grants. */
export const ListGrants = Schema.Struct({
  ...pageFields(),
  subject_kind: QueryParam.optional(
    Schema.Literal(...SubjectKind.literals),
    "Only grants for a subject of this kind, which `subject_name` names; `everyone` has no name."
  ),
  subject_name: QueryParam.optional(
    SubjectName,
    "Only grants for the subject of `subject_kind` with this name."
  ),
  space: QueryParam.optional(SpacePath, "Only grants in the space of this path, and below it."),
  role: QueryParam.optional(Schema.Literal(...Role.literals), "Only grants of this role."),
  eligible: QueryParam.optional(
    QueryParam.boolean,
    "Only eligible grants, or only others; both by default."
  ),
  ended: QueryParam.optional(
    QueryParam.boolean,
    "Also grants that have ended or expired; false by default."
  )
}).pipe(
  Schema.filter(({ subject_kind, subject_name }) => {
    const isNamed = subject_kind !== undefined && subject_kind !== "everyone"
    if (isNamed === (subject_name !== undefined)) return undefined
    return isNamed
      ? { path: ["subject_name"], message: "`subject_kind` needs a `subject_name`" }
      : { path: ["subject_kind"], message: "`subject_name` needs a kind that has names" }
  })
)

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the grant in its org, from 1."
  })
)

/** The operations of grants. */
export class GrantApi extends HttpApiGroup.make("grant")
  .add(
    HttpApiEndpoint.get("list")`/grants/${org}`
      .setUrlParams(ListGrants)
      .addSuccess(
        Schema.Struct({ ...counterFields, grants: Schema.Array(GrantResponse) }).annotations({
          identifier: "Grants"
        })
      )
      .annotate(Operation, rule("grant.write", noBody))
      .annotate(OpenApi.Summary, "List grants, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the grants in the spaces that the caller administers."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/grants/${org}`
      .setPayload(PutGrant)
      .addSuccess(GrantResponse)
      .addSuccess(GrantResponse.annotations(HttpApiSchema.annotations({ status: 201 })))
      .addError(Conflict.Body)
      .annotate(Operation, rule("grant.write", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Give a role in a space")
      .annotate(
        OpenApi.Description,
        "Gives a role in a space and in all below it, as an admin of the space who holds the role there. A subject " +
          "has one grant in a space, and one eligible grant: another role, end or reason ends the one before and " +
          "answers 200, and the same " +
          `again changes nothing. At most ${GRANTS_MAX} grants in an org and ${GRANTS_OF_SUBJECT_MAX} for a subject.`
      )
  )
  .add(
    HttpApiEndpoint.del("end")`/grants/${org}/${number}`
      .addSuccess(OkBody)
      .annotate(Operation, rule("grant.write", noBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "End a grant")
      .annotate(
        OpenApi.Description,
        "Ends a grant in a space that the caller administers. One that has ended stays as it is."
      )
  )
  .annotate(OpenApi.Title, "Grants")
  .annotate(
    OpenApi.Description,
    "Grants: roles of people, teams, service accounts and everyone in spaces."
  ) {}
