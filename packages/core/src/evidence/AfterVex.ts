/**
 * The findings of a scan that statements of verified VEX took away when its outcome was decided, and the counts that
 * are left.
 *
 * An attestation has them beside its facts, which depend on the bytes of the scan alone.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { FindingCounts, Severity, VexStatement } from "./EvidenceFacts.js"

/** The most findings that an attestation lists as taken away. */
export const DENIED_LISTED_MAX = 100

/** A finding that was taken away, and the place of the statement that did so. */
export const DeniedFinding = Schema.Struct({
  id: Schema.String,
  severity: Severity,
  purl: Schema.NullOr(Schema.String),
  /** The product of the statement: a purl or a SHA-256. */
  product: Schema.String,
  status: VexStatement.fields.status,
  /** The file of the statement. */
  digest: Fingerprint,
  /** The place of the document of the statement in its file. */
  position: Schema.Int
}).annotations({ identifier: "DeniedFinding" })
/** A finding that was taken away. */
export type DeniedFinding = typeof DeniedFinding.Type

/** What VEX took away. */
export const AfterVex = Schema.Struct({
  /** The counts that are left; findings that were taken away count as suppressed. */
  counts: FindingCounts,
  denied_count: Schema.Int,
  /** The first findings that were taken away. */
  denied: Schema.Array(DeniedFinding)
}).annotations({ identifier: "AfterVex" })
/** What VEX took away. */
export type AfterVex = typeof AfterVex.Type
