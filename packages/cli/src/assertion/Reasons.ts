/** Extracts the reasons from an answer of the API, from policies or from templates. Pure. */
import * as Placeholder from "@attestry/core/Placeholder"
import * as Json from "../shared/Json.js"
import { commandOf, type Reason, ruleOf } from "./Assertion.js"

const nullable = (value: unknown): string | null => Json.text(value) ?? null

const count = (value: unknown): number | null => (typeof value === "number" ? value : null)

/** Whether a rule requires something; the first two rules of a policy may not. */
const isDemanded = (evaluation: Json.Fields): boolean => {
  const rule = Json.object(evaluation.rule)
  return rule.type === "attestation" || Json.object(rule.definition).required === true
}

/** The number of a reason's rule, among the decisions of the same answer. */
const ruleNumber = (
  { policy_name, policy_version }: Json.Fields,
  index: number | null,
  decisions: unknown
): number | null => {
  const decision = Json.objects(decisions).find(
    (each) => each.policy_name === policy_name && each.policy_version === policy_version
  )
  if (index === null || decision === undefined) return null
  return Json.objects(decision.rule_evaluations)
    .slice(0, index + 1)
    .filter(isDemanded).length
}

/** A reason from a policy; the decisions are those of the same answer. */
export const ofPolicy = (
  reason: Json.Fields,
  fingerprint: string | null,
  decisions: unknown
): Reason => {
  const fields = {
    type: Json.text(reason.type) ?? "",
    flow_name: nullable(reason.flow_name),
    trail_name: nullable(reason.trail_name),
    attestation_name: nullable(reason.attestation_name),
    attestation_type: nullable(reason.attestation_type)
  }
  const index = count(reason.rule_index)
  return {
    ...fields,
    policy_name: nullable(reason.policy_name),
    policy_version: count(reason.policy_version),
    rule_index: index,
    rule: ruleOf(index),
    rule_number: ruleNumber(reason, index, decisions),
    description: Json.text(reason.description) ?? "",
    found: [],
    position: null,
    // What a hidden flow needs is not known.
    command:
      reason.hidden === true
        ? null
        : commandOf({ ...fields, fingerprint, control: nullable(reason.for_control) })
  }
}

/** A reason from a flow's template: an expected attestation that is missing or fails. */
const ofTemplate = (flow: Json.Fields, reason: Json.Fields, fingerprint: string | null): Reason => {
  const name = Json.text(reason.attestation_name) ?? ""
  const type = Json.text(reason.attestation_type) ?? ""
  const kind = Json.text(reason.type) ?? ""
  const fields = {
    type: kind,
    flow_name: nullable(flow.flow),
    trail_name: nullable(flow.trail),
    attestation_name: name,
    attestation_type: type
  }
  const level = Json.text(reason.level) ?? "trail"
  return {
    ...fields,
    policy_name: null,
    policy_version: null,
    rule_index: null,
    rule: `template, ${level}`,
    rule_number: null,
    description:
      kind === "missing_attestation"
        ? `the ${level}'s attestation \`${name}\` of type \`${type}\` is missing: report it`
        : `the ${level}'s attestation \`${name}\` of type \`${type}\` is not compliant: ` +
          "fix what it found and report it again",
    found: [],
    position: null,
    command: commandOf({
      ...fields,
      fingerprint: level === "artifact" ? fingerprint : null,
      control: null
    })
  }
}

/** The reasons against an artifact: from policies, or from the templates of its flows. */
export const ofAssertion = (
  answer: Json.Fields,
  fingerprint: string | null
): ReadonlyArray<Reason> => {
  const reasons = Json.objects(answer.reasons_for_incompliance)
  if (reasons.length > 0)
    return reasons.map((reason) => ofPolicy(reason, fingerprint, answer.policy_evaluations))
  return Json.objects(answer.flows).flatMap((flow) =>
    Json.objects(Json.object(flow.compliance_status).flow_reasons_for_non_compliance).map(
      (reason) => ofTemplate(flow, reason, fingerprint)
    )
  )
}

const outcome = (compliant: unknown): string => (compliant === true ? "" : ", not compliant")

/** The statuses of reported evidence. */
const reported = (statuses: unknown): ReadonlyArray<Json.Fields> =>
  Json.objects(statuses).filter(({ status }) => status !== "MISSING")

const statusText = (status: Json.Fields, prefix: string): string =>
  `${prefix}${status.attestation_name} (${status.attestation_type}${outcome(status.is_compliant)})`

/** The evidence of a trail, each with type and outcome. */
export const foundOn = (trail: Json.Fields): ReadonlyArray<string> => {
  const status = Json.object(trail.compliance_status)
  return [
    ...reported(status.attestations_statuses).map((each) => statusText(each, "")),
    ...Json.members(status.artifacts_statuses).flatMap(([slot, artifact]) =>
      reported(Json.object(artifact).attestations_statuses).map((each) =>
        statusText(each, `${slot}.`)
      )
    )
  ]
}

/** The reasons against a trail: expected evidence that is missing or fails. */
export const ofTrail = (trail: Json.Fields): ReadonlyArray<Reason> => {
  const status = Json.object(trail.compliance_status)
  const flow = { flow: Json.object(trail.flow).name, trail: trail.name }
  const failing = (
    statuses: unknown,
    level: string,
    fingerprint: string | null
  ): ReadonlyArray<Reason> =>
    Json.objects(statuses)
      .filter(
        ({ is_compliant, unexpected }) =>
          is_compliant === false || (is_compliant !== true && unexpected !== true)
      )
      .map((each) =>
        ofTemplate(
          flow,
          {
            ...each,
            level,
            type: each.is_compliant === false ? "non_compliant_attestation" : "missing_attestation"
          },
          fingerprint
        )
      )
  return [
    ...failing(status.attestations_statuses, "trail", null),
    ...Json.members(status.artifacts_statuses).flatMap(([slot, artifact]) => {
      const fields = Json.object(artifact)
      const missing = ofMissingArtifact(flow, slot)
      if (fields.artifact_fingerprint === null && fields.unexpected !== true) return [missing]
      return failing(
        fields.attestations_statuses,
        "artifact",
        nullable(fields.artifact_fingerprint)
      )
    })
  ]
}

const ofMissingArtifact = (flow: Json.Fields, slot: string): Reason => ({
  type: "missing_artifact",
  flow_name: nullable(flow.flow),
  trail_name: nullable(flow.trail),
  attestation_name: null,
  attestation_type: null,
  policy_name: null,
  policy_version: null,
  rule_index: null,
  rule: "template, artifact",
  rule_number: null,
  description: `the artifact \`${slot}\` is missing: report it`,
  found: [],
  position: null,
  command: ["attestry", "attest", "artifact", Placeholder.of("ARTIFACT"), "--slot", slot]
})
