/** Metrics of evidence files: the documents that were accepted. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as DryRun from "../../shared/internal/DryRun.js"
import type { EvidenceRecord } from "../EvidenceRecord.js"

const documents = Metric.counter("attestry_evidence_documents_total", {
  description: "Documents of evidence files that were accepted, by kind and state",
  incremental: true
})

/** Counts a document that was recorded; one of a dry run is not. */
export const count = ({ kind, state }: EvidenceRecord): Effect.Effect<void> =>
  DryRun.unless(
    Effect.withMetric(
      Effect.succeed(1),
      documents.pipe(Metric.tagged("kind", kind), Metric.tagged("state", state))
    )
  )
