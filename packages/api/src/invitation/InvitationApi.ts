/** Invitations to an org, and their acceptance by the person who has the secret. SPEC §4.9 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { InvitationId, Login, OrgName } from "@attestry/core/Identifier"
import { DAYS, DisplayName, Email, InvitationState, InvitedLogin } from "@attestry/core/Invitation"
import { LENGTH_MAX } from "@attestry/core/InvitationSecret"
import { optional } from "@attestry/core/OptionalField"
import { BaseRole } from "@attestry/core/Role"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { jsonBody, noBody, Operation, rule } from "../shared/Operation.js"
import * as Paging from "../shared/Paging.js"
import { invitationId, org } from "../shared/PathParam.js"

/** An invitation to make. */
export const CreateInvitation = Schema.Struct({
  role: BaseRole,
  login: optional(InvitedLogin),
  display_name: optional(DisplayName),
  email: optional(Email),
  days: optional(Schema.Int.pipe(Schema.between(DAYS.min, DAYS.max)))
}).annotations({ identifier: "CreateInvitation" })

const Name = Schema.NullOr(Schema.String)
const Instant = Schema.NullOr(EpochSeconds)

const common = {
  id: InvitationId,
  state: InvitationState,
  role: BaseRole,
  login: Name,
  display_name: Name,
  email: Name,
  created_by: Schema.String,
  created_at: EpochSeconds,
  expires_at: EpochSeconds,
  accepted_by: Name,
  accepted_at: Instant,
  revoked_by: Name,
  revoked_at: Instant
}

/** An invitation in a response, without its secret. */
export const InvitationResponse = Schema.Struct(common).annotations({ identifier: "Invitation" })

/** A new invitation with its secret and the link with it, which no other response contains. */
export const CreatedInvitation = Schema.Struct({
  ...common,
  secret: Schema.String,
  link: Schema.String
}).annotations({
  identifier: "CreatedInvitation",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** A page of invitations. */
export const InvitationPage = Schema.Struct({
  ...Paging.counterFields,
  invitations: Schema.Array(InvitationResponse)
}).annotations({ identifier: "Invitations" })

const secret = Schema.String.pipe(Schema.maxLength(LENGTH_MAX)).annotations(FieldErrors.sensitive)

/** The secret of an invitation. */
export const InvitationSecretBody = Schema.Struct({ secret }).annotations({
  identifier: "InvitationSecret"
})

/** The org, the role and the end of an invitation, as its secret shows them. */
export const OpenInvitation = Schema.Struct({
  org: OrgName,
  role: BaseRole,
  created_by: Schema.String,
  expires_at: EpochSeconds,
  /** The login that the person gets; null lets the person choose. */
  login: Name,
  display_name: Name
}).annotations({ identifier: "OpenInvitation" })

/** A new person who accepts. */
export const AcceptInvitation = Schema.Struct({
  secret,
  login: optional(InvitedLogin),
  display_name: optional(DisplayName)
}).annotations({ identifier: "AcceptInvitation" })

const accepted = { org: OrgName, role: BaseRole, login: Login }

/** The membership of the caller. */
export const JoinedOrg = Schema.Struct(accepted).annotations({ identifier: "JoinedOrg" })

/** The membership of a new person, their first API key, and the token of the session that was opened. */
export const AcceptedInvitation = Schema.Struct({
  ...accepted,
  api_key: Schema.String,
  csrf_token: Schema.String
}).annotations({
  identifier: "AcceptedInvitation",
  ...HttpApiSchema.annotations({ status: 201 })
})

/** Invitations to an org. */
export class InvitationApi extends HttpApiGroup.make("invitation")
  .add(
    HttpApiEndpoint.get("list")`/invitations/${org}`
      .setUrlParams(Schema.Struct(Paging.pageFields()))
      .addSuccess(InvitationPage)
      .annotate(Operation, rule("membership.read", noBody))
      .annotate(OpenApi.Summary, "List the invitations to the org")
      .annotate(
        OpenApi.Description,
        "Answers one page of all invitations, newest first, without their secrets: who made each, whether it is " +
          "open, and who accepted or revoked it."
      )
  )
  .add(
    HttpApiEndpoint.post("create")`/invitations/${org}`
      .setPayload(CreateInvitation)
      .addSuccess(CreatedInvitation)
      .annotate(
        Operation,
        rule("membership.write", jsonBody, { answersSecret: true, isSensitive: true })
      )
      .annotate(OpenApi.Summary, "Invite a person; the link is shown once")
      .annotate(
        OpenApi.Description,
        "Makes an invitation that one person can accept once. The answer shows its link, which is not kept: send it " +
          `to the person. It ends after ${DAYS.default} days by default. 409 at 200 open invitations.`
      )
  )
  .add(
    HttpApiEndpoint.post("revoke")`/invitations/${org}/${invitationId}/revoke`
      .addSuccess(InvitationResponse)
      .addError(Conflict.Body)
      .addError(Conflict.Body)
      .annotate(Operation, rule("membership.write", noBody))
      .annotate(OpenApi.Summary, "Revoke an invitation that is open")
      .annotate(
        OpenApi.Description,
        "Ends an open invitation: its link gives nothing from now on. A revoked one stays as it is; 409 for one " +
          "that was accepted or has expired."
      )
  )
  .add(
    HttpApiEndpoint.post("look", "/invitation/look")
      .setPayload(InvitationSecretBody)
      .addSuccess(OpenInvitation)
      .annotate(Operation, rule("open", jsonBody, { reads: true, isConfidential: true }))
      .annotate(OpenApi.Summary, "Look at an invitation with its secret")
      .annotate(
        OpenApi.Description,
        "Answers the org, the role, who invited, and until when. 404 alike for a secret that is wrong, was used or " +
          "revoked, or has expired."
      )
  )
  .add(
    HttpApiEndpoint.post("accept", "/invitation/accept")
      .setPayload(AcceptInvitation)
      .addSuccess(AcceptedInvitation)
      .addError(Conflict.Body)
      .annotate(Operation, rule("open", jsonBody, { answersSecret: true }))
      .annotate(OpenApi.Summary, "Accept an invitation as a new person; the API key is shown once")
      .annotate(
        OpenApi.Description,
        "Makes the account with its membership and a personal API key, which is shown once, and opens a browser " +
          "session. 409 where the login is taken: a person who has an account signs in and joins instead."
      )
  )
  .add(
    HttpApiEndpoint.post("join", "/invitation/join")
      .setPayload(InvitationSecretBody)
      .addSuccess(JoinedOrg)
      .addError(Conflict.Body)
      .annotate(Operation, rule("authenticated", jsonBody, { isConfidential: true }))
      .annotate(OpenApi.Summary, "Accept an invitation as the caller")
      .annotate(
        OpenApi.Description,
        "Adds the membership to the person who asks, who must have an account already. No API key is made. 409 for " +
          "a member, and for an invitation that names another login."
      )
  )
  .annotate(OpenApi.Title, "Invitations")
  .annotate(OpenApi.Description, "Links that make one person a member of an org, once.") {}
