/**
 * The inputs of an evaluation: one artifact and the evidence of each flow about it. E3
 *
 * Facts are plain data, so that an evaluation also runs in CI, in a browser and on past data. Overrides are applied:
 * an overridden attestation is not in the facts.
 */
import * as Schema from "effect/Schema"
import { FlowReason, Status } from "../compliance/ComplianceStatus.js"
import { VerificationState } from "../evidence/EvidenceVerification.js"
import { make as dictionary } from "../shared/Dictionary.js"
import { JsonObject } from "../shared/Evidence.js"

/** An attestation with its effective outcome. */
export const AttestationFact = Schema.Struct({
  /** Its position in the order of the org, which is unique. DECISIONS.md, "Order comes from sequence numbers" */
  sequence: Schema.Int,
  name: Schema.String,
  /** `junit`, `decision`, `custom:coverage`, … */
  type: Schema.String,
  is_compliant: Schema.Boolean,
  /** Whether it is bound to the artifact, or to the artifact's trail. */
  level: Schema.Literal("artifact", "trail"),
  /** The control that a decision is about; null for every other type. */
  control: Schema.NullOr(Schema.String),
  /** When it was accepted, in epoch seconds; a rule with a `max_age` needs it. */
  reported_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The result of checking its signatures; a rule with `must_be_verified` needs it. */
  verification: Schema.optionalWith(VerificationState, { exact: true }),
  /** What a `where` of a rule asks about. */
  facts: Schema.optionalWith(JsonObject, { exact: true })
}).annotations({ identifier: "AttestationFact" })
/** An attestation with its effective outcome. */
export type AttestationFact = typeof AttestationFact.Type

/** What makes a record non-compliant in its trail, and what settles it. */
const FailingEntry = Schema.Struct({
  ...FlowReason.fields,
  /** Every type but these settles it under its name; only its own type where this is absent. */
  any_type_but: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})

/** What one flow knows about the artifact: its newest record there, with trail and status. */
export const FlowView = Schema.Struct({
  flow_name: Schema.String,
  tags: dictionary({
    key: Schema.String,
    value: Schema.String,
    members: { type: "string" }
  }),
  trail_name: Schema.String,
  template_reference_name: Schema.optionalWith(Schema.String, { exact: true }),
  /** The status of that record. */
  artifact_status: Status,
  /** When the record was accepted, in epoch seconds; a `max_age` of provenance needs it. */
  reported_at: Schema.optionalWith(Schema.Number, { exact: true }),
  /** Attestations bound to the record, and those of its trail, in any order. */
  attestations: Schema.Array(AttestationFact),
  /** What makes the record non-compliant in its trail; no policy reads it, remedies do. */
  entries: Schema.optionalWith(Schema.Array(FailingEntry), { exact: true })
}).annotations({ identifier: "FlowView" })
/** What one flow knows about the artifact. */
export type FlowView = typeof FlowView.Type

/** One artifact and its flow views, in flow order; without a view it has no provenance. */
export const Facts = Schema.Struct({
  artifact: Schema.Struct({
    name: Schema.String,
    /** Empty when it is unknown. */
    fingerprint: Schema.String
  }),
  flows: Schema.Array(FlowView)
}).annotations({ identifier: "PolicyFacts" })
/** One artifact and its flow views. */
export type Facts = typeof Facts.Type
