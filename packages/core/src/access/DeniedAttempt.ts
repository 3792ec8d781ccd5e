/** A denied request. Denied attempts are not part of the journal (P-AUD). */
import * as Schema from "effect/Schema"
import { JournalActor } from "../journal/JournalEntry.js"
import { CredentialId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** An attempt, before the store sets its instant. */
export const DeniedAttemptDraft = Schema.Struct({
  actor: JournalActor,
  key_id: CredentialId,
  /** The operation id of the contract. */
  operation: Schema.String,
  /** The org name as the request gave it; there may be no such org. */
  org: Schema.String,
  /** Present where the key was right and not usable: `network`, from that address. */
  reason: Schema.optionalWith(Schema.Literal("network"), { exact: true })
})
/** An attempt, before the store sets its instant. */
export type DeniedAttemptDraft = typeof DeniedAttemptDraft.Type

/** An attempt that was denied. The store holds at most one for each actor, operation and minute. */
export const DeniedAttempt = Schema.Struct({ ...DeniedAttemptDraft.fields, at: Timestamp })
/** An attempt that was denied. */
export type DeniedAttempt = typeof DeniedAttempt.Type

/** Org names are cut to this length; no org has a longer name. */
export const ORG_LENGTH_MAX = 64

/** Attempts are stored for this long. */
export const RETENTION_SECONDS = 90 * 24 * 3600

const MINUTE_MICROS = 60_000_000

/** The number of whole minutes between the epoch and an instant. */
export const minuteOf = (at: Timestamp): number => Math.floor(at / MINUTE_MICROS)
