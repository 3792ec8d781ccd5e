/** The request body of a dry run, and its answer in words. */
import type { DryRunRow, PolicyDryRun } from "../shared/Contract.js"
import { fromState, WORDS } from "../shared/Verdict.js"
import type { TryTarget } from "./TryTarget.js"

/** Which evidence to use: `judged` is the evidence by which each row was evaluated. */
export type Evidence = "judged" | "now"

/** The evidence that the URL selects. */
export const evidenceOf = (text: string | undefined): Evidence =>
  text === "now" ? "now" : "judged"

export interface Draft {
  readonly name: string
  readonly text: string
}

export const bodyOf = ({ name, text }: Draft, target: TryTarget, evidence: Evidence): object => {
  const candidate = { policy_yaml: text, name }
  if (target._tag === "Artifact")
    return { candidate, on: { fingerprint: target.fingerprint }, show: "all" }
  const on = { environment: target.environment, snapshot: target.expression }
  return { candidate, on, against: "attached", as_of: evidence, show: "flips" }
}

/** The change of a row's verdict, in words. */
export const turnOf = ({ compliant, was }: DryRunRow): string =>
  `${WORDS[fromState(was)]} → ${WORDS[fromState(compliant)]}`

export const summaryOf = (
  { counts, left_out, rows, snapshot }: PolicyDryRun,
  isSnapshot: boolean
): string => {
  const all = counts.true + counts.false + counts.null
  if (!isSnapshot) return counts.false === 0 ? "The artifact passes." : "The artifact fails."
  const turned = rows.length + left_out
  const of = `${all} ${all === 1 ? "row" : "rows"}${snapshot === null ? "" : ` of snapshot ${snapshot.index}`}`
  return turned === 0
    ? `No verdict of ${of} would be another one.`
    : `${turned} of ${of} would have another verdict.`
}
