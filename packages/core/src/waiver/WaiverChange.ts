/** The kinds of entries in the journal about waivers; the content of each is the waiver after the change. */
import type { WaiverChange } from "../snapshot/internal/SnapshotListener.js"

/** What happened to a waiver. */
export type { WaiverChange } from "../snapshot/internal/SnapshotListener.js"

const CHANGES: ReadonlyArray<WaiverChange> = [
  "requested",
  "approved",
  "activated",
  "rejected",
  "revoked",
  "expired",
  "lapsed"
]

/** The kind of the entry that records a change. */
export const kindOf = (change: WaiverChange): string => `waiver_${change}`

/** The kinds of entries about waivers. */
export const WAIVER_KINDS: ReadonlyArray<string> = CHANGES.map(kindOf)
