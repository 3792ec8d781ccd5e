/** A fingerprint that is compliant in one environment regardless of policies, and the reason. */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { EnvironmentId, EnvironmentName, OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** One entry of an allow-list. Its rows are compliant outright: that is the meaning of allowing. */
export const AllowListEntry = Schema.Struct({
  org_id: OrgId,
  environment_id: EnvironmentId,
  fingerprint: Fingerprint,
  name: Schema.String,
  reason: Schema.String,
  created_by: Schema.String,
  created_at: Timestamp
})
/** One entry of an allow-list. */
export type AllowListEntry = typeof AllowListEntry.Type

/** The fields of an entry that a request gives. */
export type AllowListDraft = Pick<AllowListEntry, "fingerprint" | "name" | "reason">

/** The allow-list of the environment has no such fingerprint. */
export class AllowListEntryNotFound extends Schema.TaggedError<AllowListEntryNotFound>()(
  "AllowListEntryNotFound",
  { environment: EnvironmentName, fingerprint: Fingerprint }
) {
  override get message(): string {
    return `\`${this.fingerprint}\` is not allowed in environment \`${this.environment}\``
  }
}

/** Whether an entry already has the values of a draft. */
export const hasContent = (entry: AllowListEntry, draft: AllowListDraft): boolean =>
  entry.name === draft.name && entry.reason === draft.reason
