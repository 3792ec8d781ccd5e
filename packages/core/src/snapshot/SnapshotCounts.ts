/**
 * The number of running rows by verdict, and the verdict of the snapshot. SPEC §2.6
 *
 * Exited rows are listed in a snapshot and not counted: pass the running ones only.
 */
import * as Schema from "effect/Schema"
import type { Verdict } from "../shared/Verdict.js"

/** Running rows by verdict, with the wire's words for compliant, not compliant and unknown. */
export const SnapshotCounts = Schema.Struct({
  true: Schema.Int,
  false: Schema.Int,
  null: Schema.Int
}).annotations({ identifier: "ArtifactComplianceCount" })
/** Running rows by verdict. */
export type SnapshotCounts = typeof SnapshotCounts.Type

/** Counts the running rows of a snapshot. */
export const count = (running: Iterable<{ readonly verdict: Verdict }>): SnapshotCounts => {
  const counts = { Compliant: 0, NonCompliant: 0, Unknown: 0 }
  for (const { verdict } of running) counts[verdict] += 1
  return { true: counts.Compliant, false: counts.NonCompliant, null: counts.Unknown }
}

/**
 * The verdict of a snapshot of a physical environment. Reasons that are about no row make it NonCompliant; with
 * policies and nothing running it is Compliant.
 */
export const verdictOf = (
  counts: SnapshotCounts,
  {
    hasPolicies,
    reasons = []
  }: { readonly hasPolicies: boolean; readonly reasons?: ReadonlyArray<unknown> | undefined }
): Verdict => {
  if (reasons.length > 0) return "NonCompliant"
  if (!hasPolicies) return "Unknown"
  return counts.false + counts.null === 0 ? "Compliant" : "NonCompliant"
}
