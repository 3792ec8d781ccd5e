/** The words and limits of a request for a capsule. */
import * as Schema from "effect/Schema"

/** The media type of a capsule. */
export const MEDIA_TYPE = "application/vnd.attestry.capsule+zip"

/** The most entries of a capsule. */
export const ENTRIES_MAX = 250_000

/** The most bytes of a capsule, its files included. */
export const BYTES_MAX = 2_147_483_648

/** The most environments that a selection names. */
export const ENVIRONMENTS_MAX = 50

/** The most trails, and the most fingerprints, that a selection names. */
export const NAMES_MAX = 1_000

/** The most files of a capsule. */
export const FILES_MAX = 50_000

/** What is disclosed of evidence: what decides, whole bodies, or bodies and files. */
export const CapsuleEvidence = Schema.Literal("facts", "bodies", "files").annotations({
  identifier: "CapsuleEvidence"
})
/** What is disclosed of evidence. */
export type CapsuleEvidence = typeof CapsuleEvidence.Type
