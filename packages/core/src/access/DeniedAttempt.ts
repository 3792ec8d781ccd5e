/** What an actor tried and was not permitted: kept apart from the record of what happened (P-AUD). */
import * as Schema from "effect/Schema"
import { JournalActor } from "../journal/JournalEntry.js"
import { ApiKeyId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** An attempt, before the store's clock has said when. */
export const DeniedAttemptDraft = Schema.Struct({
  actor: JournalActor,
  key_id: ApiKeyId,
  /** The operation, as the contract names it. */
  operation: Schema.String,
  /** The org that was asked for, by the name that was given: there may be no such org. */
  org: Schema.String
})
/** An attempt, before the store's clock has said when. */
export type DeniedAttemptDraft = typeof DeniedAttemptDraft.Type

/** An attempt that was denied; at most one for each actor, operation and minute is kept. */
export const DeniedAttempt = Schema.Struct({ ...DeniedAttemptDraft.fields, at: Timestamp })
/** An attempt that was denied. */
export type DeniedAttempt = typeof DeniedAttempt.Type

/** An org's name is kept up to this length; a longer one is no org's. */
export const ORG_LENGTH_MAX = 64

/** Attempts are kept for this long. */
export const RETENTION_SECONDS = 90 * 24 * 3600

const MINUTE_MICROS = 60_000_000

/** The minute that an instant is in, counted from the epoch. */
export const minuteOf = (at: Timestamp): number => Math.floor(at / MINUTE_MICROS)
