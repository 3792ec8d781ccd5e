/** The rows of a snapshot as of an instant, as their caller sees them: without what flows know that it may not read. */
import * as Effect from "effect/Effect"
import type { GrantedWithin } from "../../access/Reaches.js"
import * as FlowMask from "../../snapshot/FlowMask.js"
import * as MaskedFlows from "../../snapshot/internal/MaskedFlows.js"
import type { CompleteSnapshot } from "../../snapshot/Snapshots.js"
import type { KnownFlow } from "../FactTimeline.js"
import type { EvidenceHistory } from "../FingerprintHistory.js"
import type { RowAsOf } from "../SnapshotViews.js"

/** Rows as of an instant, and what they were evaluated on. */
export interface RowsAsOf {
  readonly rows: ReadonlyArray<RowAsOf>
  readonly evidence: EvidenceHistory
  /** What flows knew of the rows. */
  readonly views: () => ReadonlyArray<KnownFlow>
}

/** A row without what hidden flows know, which is also evidence that arrived after the snapshot. */
const maskRow =
  (hidden: FlowMask.HiddenFlows, attestations: ReadonlySet<string>) =>
  (row: RowAsOf): RowAsOf => {
    const masked = FlowMask.flows(hidden, row)
    const isKnown = row.facts.flows.some(({ flow_name }) => hidden.names.has(flow_name))
    if (masked === row && !isKnown) return row
    return {
      ...masked,
      hidden: masked.hidden ?? "other",
      policy_decisions: FlowMask.decisions(hidden, row.policy_decisions),
      reasons: FlowMask.reasons(hidden, row.reasons),
      warnings: FlowMask.reasons(hidden, row.warnings),
      late: row.late.filter(({ attestation_id }) => !attestations.has(attestation_id)),
      facts: { ...row.facts, flows: [] }
    }
  }

/** Makes the cut. */
export const make = Effect.map(
  MaskedFlows.make,
  (hiddenOf) =>
    (granted: GrantedWithin, found: CompleteSnapshot, { evidence, rows, views }: RowsAsOf) =>
      Effect.gen(function* () {
        if (granted.readable._tag === "Whole") return rows
        const hidden = yield* hiddenOf(granted, [
          ...found.flowNames,
          ...views().map(({ flow_id, view }) => [flow_id, view.flow_name] as const)
        ])
        if (hidden === undefined) return rows
        const attestations = evidence.trails
          .filter(({ flow_id }) => hidden.ids.has(flow_id))
          .flatMap((trail) => trail.attestations.map(({ id }) => id))
        return rows.map(maskRow(hidden, new Set(attestations)))
      })
)
