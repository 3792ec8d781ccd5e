/** Prints the remedies and the warnings of an answer. Pure. */

import type { PreviousCompliant, Remedy } from "@attestry/policy-lab/RemedyStep"
import * as VerdictText from "@attestry/policy-lab/VerdictText"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import type { Assertion } from "./Assertion.js"

/** The number of remedies to request. */
export const REMEDIES = 3

const isStep = (value: unknown): boolean => Json.isObject(value) && typeof value.do === "string"

/** WHY so few checks: a server of another version may send steps that this program does not know. */
const isRemedy = (value: Json.Fields): value is Json.Fields & Remedy =>
  typeof value.kind === "string" &&
  Json.list(value.steps).length > 0 &&
  Json.list(value.steps).every(isStep)

const isPrevious = (value: unknown): value is PreviousCompliant =>
  Json.isObject(value) &&
  typeof value.name === "string" &&
  typeof value.fingerprint === "string" &&
  (value.last_ran === null || Json.isObject(value.last_ran))

const flowsOf = (answer: Json.Fields): ReadonlyArray<VerdictText.GatedFlow> =>
  Json.objects(answer.flows).map((flow) => ({
    flow_name: Json.text(flow.flow) ?? "",
    trail_name: Json.text(flow.trail) ?? "",
    git_commit: null,
    status: Json.text(Json.object(flow.compliance_status).status) ?? "",
    reasons: []
  }))

const warningLines = (answer: Json.Fields, style: Style): ReadonlyArray<string> =>
  Json.objects(answer.warnings).map(
    ({ description, policy_name }) =>
      `${style.tint("yellow", "warning")}: policy ${style.text(policy_name)} is on trial ` +
      `and would refuse it: ${style.text(description)}`
  )

/** The lines after the reasons; empty if the answer has neither remedies nor warnings. */
export const linesOf = (
  { answer, compliant, environment }: Assertion,
  style: Style,
  nowSeconds: number
): ReadonlyArray<string> => {
  const remedies = Json.objects(answer.remedies).filter(isRemedy)
  const previous = isPrevious(answer.previous_compliant) ? answer.previous_compliant : null
  const isAsked = "remedies" in answer
  const remedied = isAsked
    ? VerdictText.remedyLines({
        compliant,
        environment,
        flows: flowsOf(answer),
        remedies,
        previous,
        now: nowSeconds
      })
    : []
  return [
    ...remedied.slice(1).map((line) => style.text(line.replace(/^ {2}/, ""))),
    ...(remedied.length === 0 ? [] : [""]),
    ...warningLines(answer, style)
  ]
}
