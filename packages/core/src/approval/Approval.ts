/**
 * An approval of an artifact: deprecated in favour of attestations, and without effect on compliance. It stays because
 * integrations use it.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { UserData, WebUrl } from "../shared/Evidence.js"
import {
  CommitSha,
  EnvironmentName,
  FlowId,
  FlowName,
  OrgId,
  OrgName
} from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** One review of an approval. */
export const Review = Schema.Struct({
  state: Schema.Literal("APPROVED", "REJECTED"),
  comment: optional(Schema.String),
  approved_by: Schema.String.pipe(Schema.minLength(1)),
  approval_url: optional(WebUrl)
}).annotations({ identifier: "ApprovalReview" })
/** One review of an approval. */
export type Review = typeof Review.Type

/** The approval that a request gives, with the reviews so far. */
export const ApprovalRequest = Schema.Struct({
  artifact_fingerprint: Fingerprint,
  environment: optional(EnvironmentName),
  description: optional(Schema.String),
  reviews: optional(Schema.Array(Review)),
  oldest_commit: optional(CommitSha),
  newest_commit: optional(CommitSha),
  user_data: optional(UserData)
}).annotations({ identifier: "CreateApproval" })
/** The approval that a request gives. */
export type ApprovalRequest = typeof ApprovalRequest.Type

/** The state that the reviews decide. */
export const ApprovalState = Schema.Literal("PENDING", "APPROVED", "REJECTED")
/** The state that the reviews decide. */
export type ApprovalState = typeof ApprovalState.Type

/** An approval; numbers count from 1 in each flow. */
export const Approval = Schema.Struct({
  org_id: OrgId,
  flow_id: FlowId,
  id: Schema.String,
  number: Schema.Int,
  state: ApprovalState,
  request: ApprovalRequest,
  created_by: Schema.String,
  created_at: Timestamp
})
/** An approval. */
export type Approval = typeof Approval.Type

/** The state of the last review; `PENDING` without one. */
export const stateOf = ({ reviews }: ApprovalRequest): ApprovalState =>
  reviews?.at(-1)?.state ?? "PENDING"

/** There is no approval of that number in the flow. */
export class ApprovalNotFound extends Schema.TaggedError<ApprovalNotFound>()("ApprovalNotFound", {
  org: OrgName,
  flow: FlowName,
  number: Schema.Int
}) {
  override get message(): string {
    return `there is no approval ${this.number} in flow \`${this.flow}\` of org \`${this.org}\``
  }
}
