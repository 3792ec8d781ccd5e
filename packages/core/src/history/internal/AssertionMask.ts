/** An assertion as its caller sees it: the verdict is whole, and what hidden flows know is left out. Pure and total. */
import * as FlowMask from "../../snapshot/FlowMask.js"
import type { AssertionView } from "../Assertions.js"

/** The assertion without what hidden flows know; the same one where none is hidden. */
export const mask = (
  view: AssertionView,
  hidden: FlowMask.HiddenFlows | undefined
): AssertionView => {
  if (hidden === undefined) return view
  const { expiry, flows, primary } = view
  return {
    ...view,
    ...(expiry === undefined
      ? {}
      : { expiry: { at: expiry.at, reasons: FlowMask.reasons(hidden, expiry.reasons) } }),
    policy_decisions: FlowMask.decisions(hidden, view.policy_decisions),
    reasons: FlowMask.reasons(hidden, view.reasons),
    warnings: FlowMask.reasons(hidden, view.warnings),
    flows: flows.filter(({ flow_name }) => !hidden.names.has(flow_name)),
    primary: primary !== undefined && hidden.names.has(primary.flow_name) ? undefined : primary,
    hidden: true
  }
}
