/**
 * The evidence of releases in a period: each release, what was required of it, and who gave it when. SPEC §4.36
 *
 * A release is a deployment. It is judged by what was known at its snapshot, so that the same question about a period
 * that is over has the same answer later.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { EnvironmentName, FlowName, TrailName } from "../shared/Identifier.js"
import { EpochSeconds, plusSeconds } from "../shared/Timestamp.js"
import type { WholeWindow } from "../shared/TimeWindow.js"
import { Verdict } from "../shared/Verdict.js"

/** The most days of a period. */
export const DAYS_MAX = 400

/** Days before its end at which a period begins by default. */
export const DAYS = 90

/** The most releases of a selection whose requirements are counted; a file has as many as there are. */
export const RELEASES_MAX = 5_000

/** How a requirement was met. */
export const RequirementState = Schema.Literal("met", "overridden", "waived", "failed", "missing")
/** How a requirement was met. */
export type RequirementState = typeof RequirementState.Type

/** What was required of releases: an attestation, provenance, or a compliant trail. */
export const Requirement = Schema.Struct({
  /** Unique among the requirements of an answer. */
  key: Schema.String,
  kind: Schema.Literal("attestation", "provenance", "trail-compliance"),
  /** Of the attestation; null for another kind. */
  name: Schema.NullOr(Schema.String),
  type: Schema.NullOr(Schema.String),
  /** Of a template: whether the artifact or its trail must have it. */
  level: Schema.NullOr(Schema.Literal("artifact", "trail")),
  /** Of a policy: the number of the rule, from 1, and the control that a decision must be about. */
  rule: Schema.NullOr(Schema.Int),
  for_control: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ReleaseRequirement" })
/** What was required of releases. */
export type Requirement = typeof Requirement.Type

/** An attestation that decided whether a requirement was met. */
export const DecidingAttestation = Schema.Struct({
  attestation_id: Schema.String,
  attestation_name: Schema.String,
  attestation_type: Schema.String,
  is_compliant: Schema.Boolean,
  is_override: Schema.Boolean,
  flow_name: Schema.String,
  trail_name: Schema.String,
  /** Empty where the attestation can no longer be read. */
  created_by: Schema.String,
  created_at: EpochSeconds,
  /** The entry of the log that recorded it. */
  log_entry: Schema.NullOr(Schema.String)
}).annotations({ identifier: "DecidingAttestation" })
/** An attestation that decided whether a requirement was met. */
export type DecidingAttestation = typeof DecidingAttestation.Type

/** A requirement of one release. */
export const RequirementResult = Schema.Struct({
  requirement: Schema.String,
  state: RequirementState,
  /** The numbers of the waivers without which it would not be met. */
  waivers: Schema.Array(Schema.Int),
  attestations: Schema.Array(DecidingAttestation)
}).annotations({ identifier: "RequirementResult" })
/** A requirement of one release. */
export type RequirementResult = typeof RequirementResult.Type

/** A release. Fields that need provenance are null without it, and where its flow is hidden. */
export const Release = Schema.Struct({
  deployment_id: Schema.String,
  deployed_at: EpochSeconds,
  environment: EnvironmentName,
  snapshot_index: Schema.Int,
  artifact_name: Schema.String,
  fingerprint: Fingerprint,
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(TrailName),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  /** The verdict of the environment. */
  verdict: Verdict,
  /** Only what was required of this release, in the order of the requirements. */
  results: Schema.Array(RequirementResult),
  /** Set where a flow that knows the artifact is hidden from the caller. */
  hidden: Schema.optionalWith(Schema.Literal(true), { exact: true })
}).annotations({ identifier: "Release" })
/** A release. */
export type Release = typeof Release.Type

/** A requirement, and in how many releases of the selection it came to what. */
export const RequirementTotal = Schema.Struct({
  ...Requirement.fields,
  met: Schema.Int,
  overridden: Schema.Int,
  waived: Schema.Int,
  failed: Schema.Int,
  missing: Schema.Int
}).annotations({ identifier: "ReleaseRequirementTotal" })
/** A requirement, and in how many releases of the selection it came to what. */
export type RequirementTotal = typeof RequirementTotal.Type

/** The numbers of a whole selection. */
export const ReleaseTotals = Schema.Struct({
  releases: Schema.Int,
  /** Releases of which every requirement was met, overridden or waived, and of which there was one. */
  complete: Schema.Int,
  /** Releases of which nothing was required. */
  without_requirements: Schema.Int
}).annotations({ identifier: "ReleaseTotals" })
/** The numbers of a whole selection. */
export type ReleaseTotals = typeof ReleaseTotals.Type

/** A period is longer than one may be. */
export class PeriodTooLong extends Schema.TaggedError<PeriodTooLong>()("PeriodTooLong", {
  max: Schema.Int
}) {
  override get message(): string {
    return `a period has at most ${this.max} days`
  }
}

/** A selection has more releases than are counted. */
export class TooManyReleases extends Schema.TaggedError<TooManyReleases>()("TooManyReleases", {
  count: Schema.Int,
  max: Schema.Int
}) {
  override get message(): string {
    return `the selection has ${this.count} releases, of which at most ${this.max} are counted`
  }
}

const DAY_SECONDS = 86_400

/** The failure of a period that is too long; undefined for another one. */
export const tooLong = ({ from, to }: WholeWindow): PeriodTooLong | undefined =>
  from < plusSeconds(to, -DAYS_MAX * DAY_SECONDS) ? new PeriodTooLong({ max: DAYS_MAX }) : undefined

/** The failure of a selection with too many releases to count; undefined for another one. */
export const tooMany = (count: number): TooManyReleases | undefined =>
  count > RELEASES_MAX ? new TooManyReleases({ count, max: RELEASES_MAX }) : undefined
