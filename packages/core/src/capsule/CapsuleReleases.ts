/** The evidence of releases in a capsule: the question that was asked, and the table that was given. SPEC §4.35 */
import * as Schema from "effect/Schema"
import {
  DecidingAttestation,
  Release,
  ReleaseTotals,
  RequirementResult,
  RequirementTotal
} from "../release-evidence/ReleaseEvidence.js"
import { FlowName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

const Index = Schema.Int.pipe(Schema.nonNegative())

/** In epoch microseconds. */
const Instant = Schema.typeSchema(Timestamp)

const Named = Schema.Struct({ id: Schema.String, name: Schema.String })

/** Which releases were asked for, and by what they were judged. */
export const ReleaseQuestion = Schema.Struct({
  /** The environments whose releases are in the table. */
  environments: Schema.Array(Named),
  /** The flow that was asked for; null for the primary flow of each release. */
  flow: Schema.NullOr(Named),
  /** The policy whose rules are the requirements; null for the templates of flows. */
  policy: Schema.NullOr(Schema.Struct({ ...Named.fields, version: Schema.Int })),
  from: Instant,
  to: Instant
})
/** Which releases were asked for, and by what they were judged. */
export type ReleaseQuestion = typeof ReleaseQuestion.Type

const { log_entry: _entry, ...deciding } = DecidingAttestation.fields

/** An attestation that decided, with the index of its entry in the log in place of the id. */
export const GivenAttestation = Schema.Struct({
  ...deciding,
  created_at: Instant,
  log_index: Index
})
/** An attestation that decided, with the index of its entry in the log in place of the id. */
export type GivenAttestation = typeof GivenAttestation.Type

/** A cell of the table: a requirement of a release. */
export const ReleaseCell = Schema.Struct({
  ...RequirementResult.fields,
  attestations: Schema.Array(GivenAttestation)
})
/** A cell of the table: a requirement of a release. */
export type ReleaseCell = typeof ReleaseCell.Type

/** A row of the table: a release. */
export const ReleaseRow = Schema.Struct({
  environment_id: Schema.String,
  environment: Schema.String,
  snapshot_index: Schema.Int,
  deployed_at: Instant,
  artifact_name: Schema.String,
  fingerprint: Release.fields.fingerprint,
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(Schema.String),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  verdict: Release.fields.verdict,
  results: Schema.Array(ReleaseCell)
})
/** A row of the table: a release. */
export type ReleaseRow = typeof ReleaseRow.Type

/** The table: its rows, newest first, and the numbers of them. */
export const ReleaseTable = Schema.Struct({
  totals: ReleaseTotals,
  requirements: Schema.Array(RequirementTotal),
  releases: Schema.Array(ReleaseRow)
})
/** The table: its rows, newest first, and the numbers of them. */
export type ReleaseTable = typeof ReleaseTable.Type

/** What tells a release from every other one. */
export const keyOf = ({
  environment_id,
  fingerprint,
  snapshot_index
}: Pick<ReleaseRow, "environment_id" | "fingerprint" | "snapshot_index">): string =>
  `${environment_id} ${snapshot_index} ${fingerprint}`
