/**
 * Compliance of rows and environments: three values inside, often two on the wire.
 *
 * Only responses map it to a boolean, never a decision. Policies decide verdicts. SPEC §2.6
 */
import * as Schema from "effect/Schema"

/** Compliant, not compliant, or not evaluated because no policy applies. */
export const Verdict = Schema.Literal("Compliant", "NonCompliant", "Unknown")
/** Compliant, not compliant, or not evaluated because no policy applies. */
export type Verdict = typeof Verdict.Type

const RANK = { NonCompliant: 0, Unknown: 1, Compliant: 2 } as const

/** The worse of two: `NonCompliant`, then `Unknown`, then `Compliant`. */
export const min = (left: Verdict, right: Verdict): Verdict =>
  RANK[left] <= RANK[right] ? left : right

/** The worst of many; `Unknown` when there is none. DECISIONS.md, "Logical environments refer to member snapshots" */
export const minimum = (verdicts: Iterable<Verdict>): Verdict => {
  let worst: Verdict | undefined
  for (const verdict of verdicts) worst = worst === undefined ? verdict : min(worst, verdict)
  return worst ?? "Unknown"
}

/** The wire form with three values: the `state` of an environment. */
export const toState = (verdict: Verdict): boolean | null =>
  verdict === "Unknown" ? null : verdict === "Compliant"

/** The wire form with two values, where `Unknown` reads as `false`: `compliant` of rows and snapshots. */
export const toBoolean = (verdict: Verdict): boolean => verdict === "Compliant"

/** The form of the audit log: `true`, `false` or `unknown`. */
export const toWord = (verdict: Verdict): "true" | "false" | "unknown" =>
  verdict === "Unknown" ? "unknown" : verdict === "Compliant" ? "true" : "false"
