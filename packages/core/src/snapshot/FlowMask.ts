/**
 * What a caller is shown of flows that it may not read, in answers about environments. Pure and total. SPEC §4.33
 *
 * A row and its verdict belong to the environment; what a flow knows of the row belongs to the flow, and is left out of
 * lists and null in rows, which say `hidden`. Law AC-14: a mask takes away and changes nothing, but for descriptions.
 */
import type { PolicyDecision, RuleEvaluation } from "../policy/PolicyDecision.js"
import { type PolicyReason, withoutFlow } from "../policy/PolicyReason.js"
import type { FlowView } from "./FlowView.js"

/** The flows of an answer that its caller may not read: by id, and by the names that the answer gives them. */
export interface HiddenFlows {
  readonly ids: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

/** Which flow of a row is hidden: the primary one, whose names the row repeats, or only others. */
export interface PartlyHidden {
  readonly hidden?: "primary" | "other"
}

/** A row with the flows that know it. */
export interface RowWithFlows extends PartlyHidden {
  readonly flows: ReadonlyArray<FlowView>
}

/** A row with its full decisions. */
export interface RowWithDecisions extends RowWithFlows {
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  readonly warnings: ReadonlyArray<PolicyReason>
}

/** The primary flow of a row; undefined without provenance, and where the caller may not read it. */
export const primaryOf = ({ flows: [primary], hidden }: RowWithFlows): FlowView | undefined =>
  hidden === "primary" ? undefined : primary

/** Masks the elements about hidden flows; those that are then alike are one, which counts no flows. */
const cut = <A extends object>(
  items: ReadonlyArray<A>,
  isHidden: (item: A) => boolean,
  mask: (item: A) => A
): ReadonlyArray<A> => {
  if (!items.some(isHidden)) return items
  const known = new Set<string>()
  return items.flatMap((item) => {
    if (!isHidden(item)) return [item]
    const masked = mask(item)
    const text = JSON.stringify(masked)
    if (known.has(text)) return []
    known.add(text)
    return [masked]
  })
}

const isIn =
  ({ names }: HiddenFlows) =>
  ({ flow_name }: { readonly flow_name: string | null }): boolean =>
    flow_name !== null && names.has(flow_name)

/** The reasons, of which those in hidden flows name none. */
export const reasons = (
  hidden: HiddenFlows,
  given: ReadonlyArray<PolicyReason>
): ReadonlyArray<PolicyReason> => cut(given, isIn(hidden), withoutFlow)

const evaluation =
  (hidden: HiddenFlows) =>
  (given: RuleEvaluation): RuleEvaluation => {
    const resolutions = cut(
      given.resolutions,
      ({ context }) => isIn(hidden)(context),
      ({ context: { expired_at: _, ...context }, type }) => ({
        type,
        context: {
          ...context,
          flow_name: null,
          trail_name: null,
          artifact_status: null,
          hidden: true as const
        }
      })
    )
    return resolutions === given.resolutions ? given : { ...given, resolutions }
  }

/** The decisions, whose results in hidden flows name none; what they come to stays. */
export const decisions = (
  hidden: HiddenFlows,
  given: ReadonlyArray<PolicyDecision>
): ReadonlyArray<PolicyDecision> =>
  given.map((decision) => ({
    ...decision,
    rule_evaluations: decision.rule_evaluations.map(evaluation(hidden))
  }))

/** A row without the hidden flows; the same row where it has none. */
export const flows = <Row extends RowWithFlows>({ ids }: HiddenFlows, row: Row): Row => {
  if (!row.flows.some(({ flow_id }) => ids.has(flow_id))) return row
  const [primary] = row.flows
  const isPrimary = primary !== undefined && ids.has(primary.flow_id)
  return {
    ...row,
    flows: row.flows.filter(({ flow_id }) => !ids.has(flow_id)),
    hidden: isPrimary ? "primary" : "other"
  }
}

/** Masks rows with their decisions. Rows share decisions, so each list of them is masked once. */
export const rows = (hidden: HiddenFlows): (<Row extends RowWithDecisions>(row: Row) => Row) => {
  const known = new Map<
    ReadonlyArray<PolicyDecision>,
    Pick<RowWithDecisions, "policy_decisions" | "reasons" | "warnings">
  >()
  return (row) => {
    const masked = flows(hidden, row)
    if (masked === row) return row
    const shown = known.get(row.policy_decisions) ?? {
      policy_decisions: decisions(hidden, row.policy_decisions),
      reasons: reasons(hidden, row.reasons),
      warnings: reasons(hidden, row.warnings)
    }
    known.set(row.policy_decisions, shown)
    return { ...masked, ...shown }
  }
}
