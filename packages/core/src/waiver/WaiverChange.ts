/** The kinds of entries in the journal about waivers; the content of each is the waiver after the change. */
import * as Schema from "effect/Schema"

/** A change of a waiver. */
export const WaiverChange = Schema.Literal(
  "requested",
  "approved",
  "activated",
  "rejected",
  "revoked",
  "expired",
  "lapsed"
)
/** A change of a waiver. */
export type WaiverChange = typeof WaiverChange.Type

/** The kind of the entry that records a change. */
export const kindOf = (change: WaiverChange): string => `waiver_${change}`

/** The kinds of entries about waivers. */
export const WAIVER_KINDS: ReadonlyArray<string> = WaiverChange.literals.map(kindOf)
