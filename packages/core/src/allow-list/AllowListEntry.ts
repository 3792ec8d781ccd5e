/** A fingerprint that is allowed in an environment, whatever policies say, and why. */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { EnvironmentId, EnvironmentName, OrgId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A fingerprint that is allowed in an environment. DECISION D4.14 */
export const AllowListEntry = Schema.Struct({
  org_id: OrgId,
  environment_id: EnvironmentId,
  fingerprint: Fingerprint,
  name: Schema.String,
  reason: Schema.String,
  created_by: Schema.String,
  created_at: Timestamp
})
/** A fingerprint that is allowed in an environment. */
export type AllowListEntry = typeof AllowListEntry.Type

/** What is asked to be allowed, and why. */
export type AllowListDraft = Pick<AllowListEntry, "fingerprint" | "name" | "reason">

/** The fingerprint is not on the environment's list. */
export class AllowListEntryNotFound extends Schema.TaggedError<AllowListEntryNotFound>()(
  "AllowListEntryNotFound",
  { environment: EnvironmentName, fingerprint: Fingerprint }
) {
  override get message(): string {
    return `\`${this.fingerprint}\` is not allowed in environment \`${this.environment}\``
  }
}

/** Whether an entry says what is asked for already. */
export const says = (entry: AllowListEntry, draft: AllowListDraft): boolean =>
  entry.name === draft.name && entry.reason === draft.reason
