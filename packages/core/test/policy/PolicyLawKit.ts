/** One policy and one row at a time: the terms of the laws of policies. */
import { assert } from "@effect/vitest"
import { Either } from "effect"
import type { Moment } from "../../src/policy/Moment.js"
import type { ResolutionType } from "../../src/policy/PolicyDecision.js"
import type { AttestationRule, PolicyDocument } from "../../src/policy/PolicyDocument.js"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import type { Facts } from "../../src/policy/PolicyFacts.js"

/** A document as the first version of a policy. */
export const version = (given: PolicyDocument, name = "p") => ({
  id: name,
  name,
  version: 1,
  document: given
})

/** The decision of one policy about a row. */
export const decide = (given: PolicyDocument, row: Facts, moment?: Moment) => {
  const [decision] = PolicyEvaluation.evaluate(
    PolicyEvaluation.compile([version(given)]),
    row,
    moment
  ).policy_decisions
  if (decision === undefined) throw new Error("there is one policy")
  return decision
}

/** The status that one policy gives a row. */
export const status = (given: PolicyDocument, row: Facts, moment?: Moment) =>
  decide(given, row, moment).status

/** The first status may be worse than the second, never better. */
export const neverBetter = (given: PolicyDocument, weaker: PolicyDocument, row: Facts): void =>
  assert.isFalse(status(given, row) === "COMPLIANT" && status(weaker, row) !== "COMPLIANT")

const condition = (text: string) => ({
  text,
  expression: Either.getOrThrow(PolicyExpression.parse(text))
})
/** A condition that is True. */
export const ALWAYS = condition("true")
/** A condition that is False. */
export const NEVER = condition("false")
/** A condition that is Error. */
export const ERROR = condition("flow.tags.missing < 3")

/** The policy that requires nothing. */
export const nothing: PolicyDocument = {
  schema: "https://x.example/v1",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: []
}

/** The policy with one rule about attestations. */
export const only = (rule: AttestationRule): PolicyDocument => ({
  ...nothing,
  attestations: [rule]
})

/** The result of a policy's last rule in each flow. */
export const resolutions = (given: PolicyDocument, row: Facts): ReadonlyArray<ResolutionType> =>
  decide(given, row)
    .rule_evaluations.at(-1)
    ?.resolutions.map(({ type }) => type) ?? []
