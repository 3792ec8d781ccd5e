/** The operations of waivers: accepted failures of rules, with an owner, approvals and an end. */
import { WaivedRule } from "@attestry/core/ActiveWaiver"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentName, Login, PolicyName } from "@attestry/core/Identifier"
import { optional } from "@attestry/core/OptionalField"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Waiver from "@attestry/core/Waiver"
import { WaiverSettings } from "@attestry/core/WaiverSettings"
import { WaiverState } from "@attestry/core/WaiverState"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { jsonBody, noBody, Operation, optionalJsonBody, rule } from "../shared/Operation.js"
import { counterFields, pageFields } from "../shared/Paging.js"
import { org } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

/** The range of the column in the database. */
const NUMBER_MAX = 2_147_483_647

/** A waiver to request. */
export const RequestWaiver = Schema.Struct({
  policy_name: PolicyName,
  rule: optional(WaivedRule).annotations({
    description: "The rules that it waives, by what they ask; every rule of the policy without it."
  }),
  environment: optional(EnvironmentName).annotations({
    description: "Only in this environment; in every one that the policy is attached to without it."
  }),
  if: optional(Schema.String).annotations({
    description: "A condition in the form of policy files: only artifacts for which it is true."
  }),
  artifact_fingerprint: optional(Fingerprint).annotations({
    description: "Only this artifact: short for a condition on the fingerprint."
  }),
  reason: Waiver.Reason,
  owner: optional(Login).annotations({
    description: "The login of the member who owns the risk; the requester without it."
  }),
  ticket_url: optional(Waiver.TicketUrl),
  starts_at: optional(EpochSeconds).annotations({
    description: "From then on, after the last approval; at once without it."
  }),
  expires_at: EpochSeconds,
  extends: optional(Schema.Int.pipe(Schema.between(1, NUMBER_MAX))).annotations({
    description: "The number of the waiver that this one extends."
  })
}).annotations({ identifier: "RequestWaiver" })

/** A comment of an approver. */
export const DecideWaiver = Schema.Struct({
  comment: optional(Schema.String.pipe(Schema.maxLength(Waiver.REASON_LENGTH_MAX)))
}).annotations({ identifier: "DecideWaiver" })

/** The reason of a revocation. */
export const RevokeWaiver = Schema.Struct({ reason: Waiver.Reason }).annotations({
  identifier: "RevokeWaiver"
})

const Decision = Schema.Struct({
  user: Schema.String,
  at: EpochSeconds,
  comment: Schema.String
}).annotations({ identifier: "WaiverDecision" })

const waiverFields = {
  number: Schema.Int,
  state: WaiverState,
  policy_name: Schema.String,
  rule: Schema.NullOr(WaivedRule),
  environment: Schema.NullOr(Schema.String),
  if: Schema.NullOr(Schema.String),
  reason: Schema.String,
  owner: Schema.String,
  ticket_url: Schema.NullOr(Schema.String),
  starts_at: EpochSeconds,
  expires_at: EpochSeconds,
  extends: Schema.NullOr(Schema.Int),
  requested_by: Schema.String,
  requested_at: EpochSeconds,
  approvals_required: Schema.Int,
  approver_role: WaiverSettings.fields.approver_role,
  approvals: Schema.Array(Decision),
  activated_at: Schema.NullOr(EpochSeconds).annotations({
    description: "When the last approval came that it needs; null before."
  }),
  rejected: Schema.NullOr(Decision),
  revoked: Schema.NullOr(
    Schema.Struct({ user: Schema.String, at: EpochSeconds, reason: Schema.String })
  )
}

/** A waiver. */
export const WaiverResponse = Schema.Struct(waiverFields).annotations({ identifier: "Waiver" })

const Orphan = Schema.NullOr(
  Schema.Literal("policy_not_attached", "rule_gone", "environment_archived", "unused")
).annotations({
  description:
    "Why a waiver in force has nothing to waive: its policy is attached nowhere, no rule of the latest version " +
    "fits, its environment is archived, or it has waived nothing for 7 days."
})

const InUse = Schema.Array(
  Schema.Struct({ environment: Schema.String, rows: Schema.Int })
).annotations({ description: "How many running artifacts it waives now, by environment." })

/** A waiver with its use. */
export const WaiverDetails = Schema.Struct({
  ...waiverFields,
  in_use: InUse,
  orphan: Orphan
}).annotations({ identifier: "WaiverDetails" })

/** How much is waived. */
export const WaiverDebtResponse = Schema.Struct({
  active: Schema.Int,
  requested: Schema.Int,
  expiring_7d: Schema.Int,
  rows_waived: Schema.Int.annotations({
    description: "How many results of running artifacts are waived now, summed over waivers."
  }),
  waived_row_hours_30d: Schema.Number,
  oldest_days: Schema.Int,
  orphans: Schema.Int,
  extended_3_times: Schema.Int,
  trend: Schema.Array(
    Schema.Struct({ day: Schema.String, active: Schema.Int, rows_waived: Schema.Int })
  ).annotations({ description: "The last 30 days in UTC, oldest first, each at its end." }),
  waivers: Schema.Array(
    Schema.Struct({
      number: Schema.Int,
      owner: Schema.String,
      policy_name: Schema.String,
      environment: Schema.NullOr(Schema.String),
      state: WaiverState,
      expires_at: EpochSeconds,
      extensions: Schema.Int.annotations({
        description: "How many waivers before it it extends, one after another; counted up to 3."
      }),
      in_use: InUse,
      orphan: Orphan
    })
  ).annotations({ description: "Waivers in force and scheduled ones, by their ends." })
}).annotations({ identifier: "WaiverDebt" })

/** Filters of the list of waivers. */
export const ListWaivers = Schema.Struct({
  ...pageFields(),
  state: QueryParam.optional(
    QueryParam.words(WaiverState.literals),
    "Only waivers in one of these states, separated by commas."
  ),
  policy_name: QueryParam.optional(PolicyName, "Only waivers of this policy."),
  environment: QueryParam.optional(
    EnvironmentName,
    "Only waivers that name this environment; those of every environment are left out."
  ),
  owner: QueryParam.optional(Schema.String, "Only waivers of this owner."),
  expires_before: QueryParam.optional(
    QueryParam.timestamp,
    "Only waivers that end before this instant."
  )
})

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the waiver in its org, from 1."
  })
)

/** The operations of waivers. */
export class WaiverApi extends HttpApiGroup.make("waiver")
  .add(
    HttpApiEndpoint.post("request")`/waivers/${org}`
      .setPayload(RequestWaiver)
      .addSuccess(WaiverResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, rule("waiver.request", jsonBody))
      .annotate(OpenApi.Summary, "Request a waiver")
      .annotate(
        OpenApi.Description,
        "Requests that failures of rules are accepted until an instant. The waiver counts once enough users have " +
          "approved it, and at once if the org requires no approval."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/waivers/${org}`
      .setUrlParams(ListWaivers)
      .addSuccess(
        Schema.Struct({ ...counterFields, waivers: Schema.Array(WaiverResponse) }).annotations({
          identifier: "Waivers"
        })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List waivers, newest first")
      .annotate(OpenApi.Description, "Answers one page of the waivers that pass the filters.")
  )
  .add(
    HttpApiEndpoint.get("debt")`/waivers/${org}/debt`
      .addSuccess(WaiverDebtResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Measure how much is waived")
      .annotate(
        OpenApi.Description,
        "Answers how many waivers are in force, what they waive, which of them have nothing to waive, and the " +
          "figures of the last 30 days."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/waivers/${org}/${number}`
      .addSuccess(WaiverDetails)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a waiver by its number")
      .annotate(OpenApi.Description, "Answers a waiver with the running artifacts that it waives.")
  )
  .add(
    HttpApiEndpoint.post("approve")`/waivers/${org}/${number}/approve`
      .setPayload(DecideWaiver)
      .addSuccess(WaiverResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("waiver.approve", optionalJsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Approve a waiver")
      .annotate(
        OpenApi.Description,
        "Approves a request, as a user with the role of approvers. A user approves once, and not their own request " +
          "unless the org allows it. A waiver that was decided is refused."
      )
  )
  .add(
    HttpApiEndpoint.post("reject")`/waivers/${org}/${number}/reject`
      .setPayload(DecideWaiver)
      .addSuccess(WaiverResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("waiver.approve", optionalJsonBody))
      .annotate(OpenApi.Summary, "Reject a waiver")
      .annotate(
        OpenApi.Description,
        "Rejects a request, as a user who may approve it. A waiver that was decided is refused."
      )
  )
  .add(
    HttpApiEndpoint.post("revoke")`/waivers/${org}/${number}/revoke`
      .setPayload(RevokeWaiver)
      .addSuccess(WaiverResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("waiver.request", jsonBody))
      .annotate(OpenApi.Summary, "Revoke a waiver")
      .annotate(
        OpenApi.Description,
        "Ends a waiver at once, or withdraws a request. Its requester, its owner and admins may. A waiver that has " +
          "ended is refused."
      )
  )
  .add(
    HttpApiEndpoint.get("settings")`/waiver-settings/${org}`
      .addSuccess(WaiverSettings)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get the settings for waivers")
      .annotate(OpenApi.Description, "Answers the rules of the org for waivers.")
  )
  .add(
    HttpApiEndpoint.put("putSettings")`/waiver-settings/${org}`
      .setPayload(WaiverSettings)
      .addSuccess(WaiverSettings)
      .annotate(Operation, rule("waiver.settings", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Set the settings for waivers")
      .annotate(
        OpenApi.Description,
        "Replaces the rules of the org for waivers. They bind requests that are made afterwards."
      )
  )
  .annotate(OpenApi.Title, "Waivers")
  .annotate(
    OpenApi.Description,
    "Waivers: failures of rules that are accepted until an instant, with a reason, an owner and approvals."
  ) {}
