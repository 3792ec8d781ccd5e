/** The operations of proposals: protected changes that wait for the approval of other people. SPEC §4.28 */
import * as Dictionary from "@attestry/core/Dictionary"
import { optional } from "@attestry/core/OptionalField"
import * as Proposal from "@attestry/core/Proposal"
import { ProtectionKind } from "@attestry/core/Protection"
import { EpochSeconds } from "@attestry/core/Timestamp"
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

/** The most characters of the name of an operation. */
const OPERATION_LENGTH_MAX = 100

const Params = Dictionary.make({
  key: Schema.String,
  value: Schema.String,
  members: { type: "string" }
})

/** A change to propose: the request that would make it. */
export const MakeProposal = Schema.Struct({
  operation: Schema.String.pipe(Schema.maxLength(OPERATION_LENGTH_MAX)).annotations({
    description: "The id of the operation, such as `policy.put`."
  }),
  params: optional(Params).annotations({
    description: "The parameters of its path by their names; the org is that of this path."
  }),
  body: Schema.optionalWith(Schema.Unknown, { exact: true }).annotations({
    description: "Its body."
  }),
  reason: Proposal.Reason
}).annotations({ identifier: "MakeProposal" })

/** An approval of what was seen. */
export const ApproveProposal = Schema.Struct({
  digest: Schema.String.pipe(Schema.pattern(/^[a-f0-9]{64}$/)).annotations({
    description: "The `digest` of the proposal that the approver has looked at."
  }),
  comment: optional(Proposal.Comment)
}).annotations({ identifier: "ApproveProposal" })

/** A rejection. */
export const RejectProposal = Schema.Struct({ comment: optional(Proposal.Comment) }).annotations({
  identifier: "RejectProposal"
})

const fields = {
  number: Schema.Int,
  state: Proposal.ProposalState,
  operation: Schema.String,
  params: Params,
  kinds: Schema.Array(ProtectionKind),
  subjects: Schema.Array(
    Schema.Struct({ type: Schema.String, name: Schema.String }).annotations({
      identifier: "ProposalSubject"
    })
  ).annotations({ description: "What it changes." }),
  space: Schema.String.annotations({
    description: "The path of the lowest space that all its changes are in; `/` for the whole org."
  }),
  digest: Schema.String.annotations({ description: "The SHA-256 of the request." }),
  reason: Schema.String,
  proposed_by: Schema.String,
  proposer_kind: Schema.Literal("user", "service-account"),
  made_at: EpochSeconds,
  expires_at: EpochSeconds,
  approvals_required: Schema.Int.annotations({
    description: "How many people must approve by the protections of now."
  }),
  approvals: Schema.Array(
    Schema.Struct({
      user: Schema.String,
      at: EpochSeconds,
      comment: Schema.String
    }).annotations({ identifier: "ProposalApproval" })
  ),
  ended: Schema.NullOr(
    Schema.Struct({
      at: EpochSeconds,
      user: Schema.NullOr(Schema.String).annotations({
        description: "Who ended it; null for an end that time brought."
      }),
      comment: Schema.String.annotations({
        description: "The comment of a rejection, or why the change failed."
      })
    }).annotations({ identifier: "ProposalEnding" })
  )
}

/** A proposal in a list. */
export const ListedProposal = Schema.Struct(fields).annotations({ identifier: "ListedProposal" })

/** A proposal with its request and the changes that it would make. */
export const ProposalResponse = Schema.Struct({
  ...fields,
  body: Schema.Unknown.annotations({ description: "The body of the request; null without one." }),
  changes: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      name: Schema.String,
      before: Schema.Unknown.annotations({
        description: "What was there when it was proposed; null for what is new."
      }),
      after: Schema.Unknown
    }).annotations({ identifier: "ProposedChange" })
  )
}).annotations({ identifier: "Proposal" })

/** Filters of the list of proposals. */
export const ListProposals = Schema.Struct({
  ...pageFields(),
  state: QueryParam.optional(
    QueryParam.words(Proposal.ProposalState.literals),
    "Only proposals in one of these states, separated by commas."
  )
})

const number = HttpApiSchema.param(
  "number",
  QueryParam.integer(1, NUMBER_MAX).annotations({
    description: "The number of the proposal in its org, from 1."
  })
)

/** The operations of proposals. */
export class ProposalApi extends HttpApiGroup.make("proposal")
  .add(
    HttpApiEndpoint.get("list")`/proposals/${org}`
      .setUrlParams(ListProposals)
      .addSuccess(
        Schema.Struct({ ...counterFields, proposals: Schema.Array(ListedProposal) }).annotations({
          identifier: "Proposals"
        })
      )
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List proposals, newest first")
      .annotate(
        OpenApi.Description,
        "Answers one page of the proposals in the spaces that the caller reads: all of them to those who may approve " +
          "some " +
          "there, and to others their own."
      )
  )
  .add(
    HttpApiEndpoint.post("make")`/proposals/${org}`
      .setPayload(MakeProposal)
      .addSuccess(ProposalResponse, { status: 201 })
      .addError(Conflict.Body)
      .annotate(Operation, rule("org.read", jsonBody))
      .annotate(OpenApi.Summary, "Propose a protected change")
      .annotate(
        OpenApi.Description,
        "Runs the request as a dry run, so that its errors are those of the change, and keeps it until other people " +
          "have approved it. 409 for a change that nobody needs to approve."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/proposals/${org}/${number}`
      .addSuccess(ProposalResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a proposal by its number")
      .annotate(
        OpenApi.Description,
        "Answers a proposal with what is there before and after its changes."
      )
  )
  .add(
    HttpApiEndpoint.post("approve")`/proposals/${org}/${number}/approve`
      .setPayload(ApproveProposal)
      .addSuccess(ProposalResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("org.read", jsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Approve a proposal")
      .annotate(
        OpenApi.Description,
        "Approves a proposal as a person who is not behind it. The last approval that it needs makes the change, as " +
          "the proposer. 409 for another digest, for a proposal that has ended, and for a change that cannot be made " +
          "any more: what it changes has changed, or the operation refuses it."
      )
  )
  .add(
    HttpApiEndpoint.post("reject")`/proposals/${org}/${number}/reject`
      .setPayload(RejectProposal)
      .addSuccess(ProposalResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("org.read", optionalJsonBody, { isSensitive: true }))
      .annotate(OpenApi.Summary, "Reject a proposal")
      .annotate(OpenApi.Description, "Rejects a proposal, as a person who may approve it.")
  )
  .add(
    HttpApiEndpoint.post("withdraw")`/proposals/${org}/${number}/withdraw`
      .addSuccess(ProposalResponse)
      .addError(Conflict.Body)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Withdraw a proposal")
      .annotate(OpenApi.Description, "Ends a proposal; its proposer and admins may.")
  )
  .annotate(OpenApi.Title, "Proposals")
  .annotate(
    OpenApi.Description,
    "Proposals: protected changes, with what they change, that wait for the approval of other people."
  ) {}
