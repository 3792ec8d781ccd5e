/** A version of the trust policy of an org. Versions never change, and the latest one applies. */
import * as Schema from "effect/Schema"
import { OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** One version; numbers count from 1 without gaps. */
export const TrustPolicyVersion = Schema.Struct({
  org_id: OrgId,
  version: Schema.Int,
  /** The text as it was sent; `TrustPolicyDocument` parses it. */
  text: Schema.String,
  comment: Schema.String,
  created_by: Schema.String,
  at: Timestamp
})
/** One version. */
export type TrustPolicyVersion = typeof TrustPolicyVersion.Type

/** The version that a request gives. */
export type TrustPolicyDraft = Pick<TrustPolicyVersion, "comment" | "text">

/** The org has no trust policy. */
export class TrustPolicyNotFound extends Schema.TaggedError<TrustPolicyNotFound>()(
  "TrustPolicyNotFound",
  { org: OrgName }
) {
  override get message(): string {
    return `org \`${this.org}\` has no trust policy`
  }
}
