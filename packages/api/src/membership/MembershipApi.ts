/** The members of an org, and the audit log of memberships. SPEC §4.9 */
import {
  MembershipEventType,
  MembershipSort,
  MembershipSource
} from "@attestry/core/MembershipEvent"
import { BaseRole } from "@attestry/core/Role"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { OkBody } from "../shared/OkBody.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { login, org } from "../shared/PathParam.js"
import { optional, period, repeatable, sortDirection } from "../shared/QueryParam.js"

/** Filters and order of the events; repeated filters are alternatives. */
export const MembershipAuditLogParams = Schema.Struct({
  ...Paging.pageFields(),
  search: optional(
    Schema.String,
    "Only events in which the name of the user or of the one who changed contains this text, in any case."
  ),
  event_type: optional(MembershipEventType, "Only events of this type."),
  role: optional(
    repeatable(BaseRole),
    "Only events after which the user has this role. May be repeated."
  ),
  source: optional(repeatable(MembershipSource), "Only events from this source. May be repeated."),
  ...period,
  sort: optional(MembershipSort, "The order of the list; `when` by default."),
  sort_direction: sortDirection("desc"),
  sort_by: optional(MembershipSort, "The same as `sort`, and wins over it."),
  sort_dir: optional(
    Schema.Literal("asc", "desc"),
    "The same as `sort_direction`, and wins over it."
  )
})

/** One change of a membership; an absent role is an empty text. */
export const MembershipEventResponse = Schema.Struct({
  id: Schema.String,
  user: Schema.String,
  changed_by: Schema.String,
  role: Schema.String,
  previous_role: Schema.String,
  source: MembershipSource,
  created_at: EpochSeconds,
  event_type: MembershipEventType
}).annotations({ identifier: "MembershipEvent" })

/** A page of the audit log. */
export const MembershipAuditLog = Schema.Struct({
  ...Paging.counterFields,
  events: Schema.Array(MembershipEventResponse)
}).annotations({ identifier: "MembershipAuditLog" })

/** A member; `user` is the display name, or the login without one. */
export const MemberResponse = Schema.Struct({
  user: Schema.String,
  login: Schema.String,
  role: BaseRole,
  created_at: EpochSeconds,
  /** Only of a member who is suspended. */
  suspended: Schema.optionalWith(Schema.Literal(true), { exact: true })
}).annotations({ identifier: "Member" })

/** A page of members. */
export const MemberPage = Schema.Struct({
  ...Paging.counterFields,
  members: Schema.Array(MemberResponse)
}).annotations({ identifier: "Members" })

/** The role of a person in an org. */
export const PutMember = Schema.Struct({ role: BaseRole }).annotations({ identifier: "PutMember" })

const WRITE = "membership.write"

/** The operations of memberships. */
export class MembershipApi extends HttpApiGroup.make("membership")
  .add(
    HttpApiEndpoint.get("auditLog")`/membership-audit-log/${org}`
      .setUrlParams(MembershipAuditLogParams)
      .addSuccess(MembershipAuditLog)
      .annotate(Operation, rule("membership.read", noBody))
      .annotate(OpenApi.Summary, "List who was added, changed and removed, by whom")
      .annotate(
        OpenApi.Description,
        "Answers one page of the changes of memberships: who was added, whose role changed, who was removed."
      )
  )
  .add(
    HttpApiEndpoint.get("members")`/memberships/${org}`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(MemberPage)
      .annotate(Operation, rule("membership.read", noBody))
      .annotate(OpenApi.Summary, "List who belongs to an org")
      .annotate(
        OpenApi.Description,
        "Answers one page of the people of the org with their roles, in the order of joining. Service accounts " +
          "are listed by their own operation."
      )
  )
  .add(
    HttpApiEndpoint.put("put")`/memberships/${org}/${login}`
      .setPayload(PutMember)
      .addSuccess(MemberResponse)
      .addSuccess(MemberResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, rule(WRITE, jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Add a person to the org, or change their role")
      .annotate(
        OpenApi.Description,
        "Adds a person who has an account on this deployment, and answers 201, or changes the role of a member. 404 " +
          "for an unknown login: invite the person. 409 where the org would be left without an admin."
      )
  )
  .add(
    HttpApiEndpoint.del("remove")`/memberships/${org}/${login}`
      .addSuccess(OkBody)
      .addError(Conflict.Body)
      .annotate(Operation, rule(WRITE, noBody))
      .annotate(OpenApi.Summary, "Remove a person from the org")
      .annotate(
        OpenApi.Description,
        "Removes a member: their keys and sessions open nothing in this org within a second. What they recorded " +
          "stays, and so does their account. 409 for the last admin."
      )
  )
  .add(
    HttpApiEndpoint.post("suspend")`/memberships/${org}/${login}/suspend`
      .addSuccess(MemberResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule(WRITE, noBody))
      .annotate(OpenApi.Summary, "Suspend a member, who keeps the role and has no access")
      .annotate(
        OpenApi.Description,
        "Suspends a member: keys and sessions open nothing in this org within a second, until the member is " +
          "restored. A suspended member stays suspended. 409 for the last admin."
      )
  )
  .add(
    HttpApiEndpoint.post("restore")`/memberships/${org}/${login}/restore`
      .addSuccess(MemberResponse)
      .annotate(Operation, rule(WRITE, noBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "End the suspension of a member")
      .annotate(
        OpenApi.Description,
        "Gives a suspended member the access of their role again. A member who is not suspended stays as they are."
      )
  )
  .add(
    HttpApiEndpoint.post("signOut")`/memberships/${org}/${login}/sign-out`
      .addSuccess(MemberResponse)
      .annotate(Operation, rule(WRITE, noBody))
      .annotate(OpenApi.Summary, "End the browser sessions of a member in this org")
      .annotate(
        OpenApi.Description,
        "Ends what the browser sessions of a member that are open now may do in this org, within a second. Other " +
          "orgs, API keys and later sessions are not affected."
      )
  )
  .annotate(OpenApi.Title, "Memberships")
  .annotate(OpenApi.Description, "Who belongs to an org, and with which role.") {}
