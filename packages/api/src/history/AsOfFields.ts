/** The parameters that request the state at an instant, and the fields that only their responses have. SPEC §4.5 */
import * as AsOf from "@attestry/core/AsOf"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import * as QueryParam from "../shared/QueryParam.js"

/** The instant by which evidence must have been accepted. */
export const asOf = QueryParam.optional(
  AsOf.FromText,
  "Answers with the evidence of an instant: `now`, epoch seconds, or a text such as " +
    "`@{2026-02-20T12:00:00}` or `@{2.days.ago}`; the future means now. By default the " +
    "recorded state."
)

/** Evidence that was accepted after its row started. */
export const LateEvidence = Schema.Struct({
  attestation_id: Schema.String,
  attestation_name: Schema.String,
  attestation_type: Schema.String,
  is_compliant: Schema.Boolean,
  reported_at: EpochSeconds,
  late_by_seconds: Schema.Number,
  /** Whether a decision would be another one without all late evidence of this name. */
  decisive: Schema.Boolean
}).annotations({ identifier: "LateEvidence" })

/** What the record says, beside what is known. */
export const recorded = Schema.optionalWith(Schema.Struct({ compliant: Schema.Boolean }), {
  exact: true
})

/** Fields of a row that is evaluated again. */
export const rowAsOf = {
  recorded,
  late_evidence: Schema.optionalWith(Schema.Array(LateEvidence), { exact: true })
}

/** The instant that an answer is for. */
export const answeredAsOf = {
  as_of: Schema.optionalWith(EpochSeconds, { exact: true })
}
