/** The results of rules that waivers turned, in the form of the wire. */
import * as Schema from "effect/Schema"
import { hiddenField, toHidden } from "../shared/Hidden.js"
import type { PolicyDecision } from "./PolicyDecision.js"

/** A result that a waiver turned; `rule_index` counts the rule evaluations from 0. */
export const WaivedResult = Schema.Struct({
  /** The number of the waiver. */
  waiver: Schema.Int,
  policy_name: Schema.String,
  rule_index: Schema.Int,
  flow_name: Schema.NullOr(Schema.String),
  /** When the waiver ends, in epoch seconds. */
  expires_at: Schema.Number,
  /** Only for a flow that the caller may not read. */
  ...hiddenField
}).annotations({ identifier: "WaivedResult" })
/** A result that a waiver turned. */
export type WaivedResult = typeof WaivedResult.Type

/** The results of decisions that waivers turned, in the order of policies, rules and flows. */
export const fromDecisions = (
  decisions: ReadonlyArray<PolicyDecision>
): ReadonlyArray<WaivedResult> =>
  decisions.flatMap(({ policy_name, rule_evaluations }) =>
    rule_evaluations.flatMap(({ resolutions }, rule_index) =>
      resolutions.flatMap(({ context: { expires_at, flow_name, hidden, waiver } }) =>
        waiver === undefined || expires_at === undefined
          ? []
          : [
              {
                waiver,
                policy_name,
                rule_index,
                flow_name,
                expires_at,
                ...toHidden(hidden === true)
              }
            ]
      )
    )
  )

/** The results as an optional field of answers, absent where there is none. */
export const waivedField = {
  waived: Schema.optionalWith(Schema.Array(WaivedResult), { exact: true })
}

/** The value of the optional field. */
export const toField = (
  decisions: ReadonlyArray<PolicyDecision>
): { readonly waived?: ReadonlyArray<WaivedResult> } => {
  const waived = fromDecisions(decisions)
  return waived.length === 0 ? {} : { waived }
}
